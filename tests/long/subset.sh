#!/bin/sh
# Many independent runs of subset simulation against exact probabilities: mean, scatter observed and reported, coverage of the interval.
#   sh tests/long/subset.sh BUILD [REPETITIONS]
exec env OMR_REPETITIONS="${2:-400}" "$1/tests/test_statistics" subset --jobs 1
