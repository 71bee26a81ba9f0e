#!/usr/bin/env bash
# Runs once, as root, when the autograder's image is built. The grader needs Python 3.10 and nothing else.
set -euo pipefail

root=${AUTOGRADER_ROOT:-/autograder}

new_enough() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

if ! new_enough; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends python3
fi
if ! new_enough; then
    echo 'This image has no Python 3.10 or newer: choose Ubuntu 22.04 or newer as the base image.' >&2
    exit 1
fi

# What a hand-in runs as has no business here, and none in the results.
chmod -R o= "$root/source"
cd "$root/source"
python3 -m grader --version
