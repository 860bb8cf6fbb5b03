#!/bin/sh
# rustdoc with JSON as its output, which stable releases have behind a flag. Only rustdoc gets the variable, so that cargo compiles
# nothing again.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
