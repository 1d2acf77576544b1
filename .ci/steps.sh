# What the scripts beside this one share; they read it with `source`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$HOME/.cargo/bin:$PATH:/usr/games"

passed=0
failed=0

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

has() {
    command -v "$1" >/dev/null
}

# install_packages PACKAGE...: from Debian, if any is named.
install_packages() {
    [ "$#" -eq 0 ] && return
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# step NAME COMMAND...: does it, says how it went and how long it took, and goes on.
step() {
    local name="$1" start="$SECONDS" verdict=ok
    shift
    echo "== $name"
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) verdict=FAILED; fi
    echo "== $name: $verdict ($((SECONDS - start)) s)"
}

# Says how it went; fails if anything did.
summary() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
