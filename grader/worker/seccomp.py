"""System calls that a hand-in never needs are refused with EPERM, for ever. Linux on x86-64 and aarch64.

It is a list of what is refused, so a call that is newer than the list is allowed. Each level adds to the one before.
Threads are refused with processes: as an ordinary user NPROC=0 refuses both, and a mark must not depend on the user.
"""

from __future__ import annotations

import ctypes
import struct

import kernel

# Name, number on x86-64, number on aarch64; "-" where the machine has no such call.
REFUSED = {
    "limits": """fork 57 -, vfork 58 -, clone 56 220, execve 59 221, execveat 322 281, setrlimit 160 164,
        prlimit64 302 261""",
    # What Landlock lets through: attributes of hidden files, truncation before ABI 3; and ways around it.
    "files": """chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
        fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6,
        fsetxattr 190 7, setxattrat 463 463, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16,
        removexattrat 466 466, file_setattr 469 469, truncate 76 45, ftruncate 77 46, open_by_handle_at 304 265,
        chroot 161 51, pivot_root 155 41, mount 165 40, umount2 166 39, mount_setattr 442 442, move_mount 429 429,
        open_tree 428 428, open_tree_attr 467 467, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433,
        unshare 272 97, setns 308 268""",
    # Network; other processes; objects that outlive this one; scheduling; the kernel and the machine.
    "full": """socket 41 198, socketpair 53 199, connect 42 203, bind 49 200, listen 50 201, accept 43 202,
        accept4 288 242, sendto 44 206, sendmsg 46 211, sendmmsg 307 269, io_uring_setup 425 425,
        io_uring_enter 426 426, io_uring_register 427 427,
        kill 62 129, tkill 200 130, tgkill 234 131, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240,
        pidfd_open 434 434, pidfd_getfd 438 438, pidfd_send_signal 424 424, ptrace 101 117, process_vm_readv 310 270,
        process_vm_writev 311 271, process_madvise 440 440, process_mrelease 448 448, kcmp 312 272, prctl 157 167,
        shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180, memfd_create 319 279, memfd_secret 447 447,
        sched_setscheduler 144 119, sched_setparam 142 118, sched_setattr 314 274, sched_setaffinity 203 122,
        setpriority 141 140, ioprio_set 251 30, migrate_pages 256 238, move_pages 279 239,
        bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, fanotify_init 300 262, keyctl 250 219,
        add_key 248 217, request_key 249 218, init_module 175 105, finit_module 313 273, delete_module 176 106,
        kexec_load 246 104, kexec_file_load 320 294, reboot 169 142, swapon 167 224, swapoff 168 225,
        sethostname 170 161, setdomainname 171 162, settimeofday 164 170, clock_settime 227 112, adjtimex 159 171,
        clock_adjtime 305 266, syslog 103 116, acct 163 89, quotactl 179 60, quotactl_fd 443 443, personality 135 92,
        ioperm 173 -, iopl 172 -, modify_ldt 154 -, vhangup 153 58""",
}
CLONE3 = 435  # hides its flags behind a pointer; ENOSYS makes the C library fall back on clone
FCNTL = (72, 25)
# A descriptor may send a signal of one's choice to a process of one's choice; this also keeps the lifeline as it is.
FCNTL_REFUSED = (4, 8, 10, 15)  # F_SETFL, F_SETOWN, F_SETSIG, F_SETOWN_EX
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the lists, name in the kernel's ABI
X32 = 0x40000000  # x86-64 has a second set of numbers from here on

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE, SECOND_ARGUMENT = 0, 4, 24  # offsets in the kernel's struct seccomp_data
PR_SET_SECCOMP, MODE_FILTER = 22, 2


def numbers(level: str, column: int) -> list[int]:
    """The numbers of all calls that ``level`` refuses, those of the levels below it included."""
    levels = list(REFUSED)
    lists = [REFUSED[name] for name in levels[: levels.index(level) + 1]]
    entries = [entry.split()[1 + column] for text in lists for entry in text.split(",")]
    return [int(entry) for entry in entries if entry != "-"]


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)


def _return_if(test: int, operand: int, result: int) -> bytes:
    return _step(test, operand, 0, 1) + _step(RETURN, result)


def program(level: str, column: int, machine: int) -> bytes:
    """The filter as the kernel's classic BPF."""
    calls = b"".join(_return_if(IF_EQUAL, number, EPERM) for number in numbers(level, column))
    commands = b"".join(_return_if(IF_EQUAL, command, EPERM) for command in FCNTL_REFUSED)
    return (
        _step(LOAD, MACHINE)
        + _step(IF_EQUAL, machine, 1, 0)
        + _step(RETURN, EPERM)
        + _step(LOAD, NUMBER)
        + (_return_if(IF_AT_LEAST, X32, EPERM) if column == 0 else b"")
        + calls
        + _return_if(IF_EQUAL, CLONE3, ENOSYS)
        + _step(IF_EQUAL, FCNTL[column], 1, 0)
        + _step(RETURN, ALLOW)
        + _step(LOAD, SECOND_ARGUMENT)
        + commands
        + _step(RETURN, ALLOW)
    )


def refuse(level: str) -> str:
    """Install the filter of ``level``; returns what it refuses, in words."""
    machine = kernel.machine()
    if machine not in MACHINES:
        raise OSError(f"no list of system calls for {machine or 'a 32-bit Python'}")
    column, name = MACHINES[machine]
    steps = program(level, column, name)
    buffer = ctypes.create_string_buffer(steps, len(steps))
    header = ctypes.create_string_buffer(struct.pack("HP", len(steps) // 8, ctypes.addressof(buffer)))
    kernel.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.addressof(header))
    return f"{len(numbers(level, column))} system calls refused"
