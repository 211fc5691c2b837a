from __future__ import annotations

import asyncio
import copy
import datetime as real

import pytest

from harness.games.script.dates import EPOCH
from harness.games.script.runtime import SECOND
from harness.games.script.times import Times


@pytest.fixture
def times(interposed):
    return interposed(Times)[0]


def test_all_clocks_tell_one_time(times, runtime):
    time = times.time
    time.sleep(1.5)
    assert runtime.now == 1.5 * SECOND
    assert time.time() == EPOCH + 1.5
    told = [
        time.monotonic(),
        time.perf_counter(),
        time.process_time(),
        time.perf_counter_ns() / SECOND,
    ]
    assert told == pytest.approx([1.5] * 4, abs=1e-5)
    assert told == sorted(set(told))  # what lies between is never nothing
    assert time.time_ns() == pytest.approx(EPOCH * SECOND + 1_500_000_000, abs=10_000)
    assert time.strftime("%Y-%m-%d %H:%M:%S") == "2025-01-01 00:00:01"
    assert time.localtime().tm_year == 2025
    assert time.mktime(time.gmtime(1000)) == 1000
    with pytest.raises(ValueError, match="non-negative"):
        time.sleep(-1)


def test_the_real_module_is_left_alone(times, runtime):
    import time

    assert time is not times.time
    assert time.time() > EPOCH + 1000


def test_dates_are_of_the_virtual_day(times, runtime):
    dates = times.datetime
    runtime.advance(90_000 * SECOND)
    assert dates.datetime.now() == real.datetime(2025, 1, 2, 1)
    assert dates.date.today() == real.date(2025, 1, 2)
    assert dates.datetime.now(dates.timezone.utc).tzinfo is real.UTC
    assert dates.datetime.fromtimestamp(EPOCH) == real.datetime(2025, 1, 1)
    later = dates.datetime.now() + dates.timedelta(days=1)
    assert isinstance(later, dates.datetime)
    assert isinstance(real.datetime(2020, 1, 1), dates.datetime)
    assert not isinstance(5, dates.date)
    assert copy.deepcopy(later) == later


def test_asyncio_sleeps_on_the_virtual_clock(times, runtime):
    async def main():
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(asyncio.sleep(30), asyncio.sleep(60))
        return loop.time() - begun

    assert asyncio.run(main()) == pytest.approx(60)
    assert runtime.now == pytest.approx(60 * SECOND, abs=1000)
