# attack: B03B defines pytest's hooks and fixtures, in case pytest takes the file in
# side effect: none
# expect: score <= 0
def pytest_runtest_makereport(item, call):
    call.excinfo = None


def pytest_pyfunc_call(pyfuncitem):
    return True


def pytest_sessionfinish(session, exitstatus):
    session.exitstatus = 0


def test_everything():
    assert True


pytest_plugins = ["transformer_block"]
__test__ = True
