#!/usr/bin/env bash
# Runs `truecount check` or `truecount monitor`, appends the table to the job's summary, and ends
# with the command's exit status.
set -uo pipefail
{
  echo "## truecount $COMMAND"
  echo
} >> "$GITHUB_STEP_SUMMARY"
# Options are separated by spaces.
# shellcheck disable=SC2086
"${TRUECOUNT:-truecount}" "$COMMAND" --train "$TRAIN" --test "$TEST" ${OPTIONS:-} --format markdown >> "$GITHUB_STEP_SUMMARY"
