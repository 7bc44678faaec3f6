# Guards one child process of a JVM, and its files.
#
#   sh -c "$script" watchdog SCOPE [DIRECTORY]     SCOPE: tree | self
#
# Reads from stdin, whose other end only the JVM holds: each line is the id of the process to guard from now on, or
# empty for none. When stdin ends, because the JVM closed it or ended in any way, it kills the process (with its
# descendants if SCOPE is tree, and whatever else works inside DIRECTORY) and removes DIRECTORY.
# Needs nothing but POSIX sh and /proc.

# Ctrl-C reaches the whole process group; the guard must outlive the rest of it.
trap '' HUP INT QUIT TERM

scope=$1
directory=${2:-}
guarded=
born=

# Sets parent, terminal and start to what /proc says of process $1. The name in parentheses may contain anything.
look_at() {
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${stat##*) }
  parent=$2
  terminal=$5
  start=${20}
}

# Whether process $1 works in the directory: PostgreSQL's backends do, even when orphaned. A process with a terminal
# may be the shell of somebody who looks around there. Not by cd: for a moment this guard would work there itself, and
# the guard of that directory would kill it.
works_inside() {
  [ -n "$directory" ] && [ "$terminal" = 0 ] || return 1
  case "$(readlink "/proc/$1/cwd" 2>/dev/null)/" in "$directory"/*) return 0 ;; esac
  return 1
}

belongs() {
  case " $found " in *" $parent "*) [ "$scope" = tree ] && return 0 ;; esac
  works_inside "$1"
}

while read -r line; do
  guarded=$line
  born=
  [ -n "$guarded" ] && look_at "$guarded" && born=$start
done

# The id may have gone to a stranger since; the time of birth tells.
found=
if [ -n "$born" ] && look_at "$guarded" && [ "$start" = "$born" ]; then
  kill -STOP "$guarded"
  found=$guarded
fi

# What is stopped cannot fork, so the pass that finds nobody new has missed nobody.
while :; do
  more=
  for entry in /proc/[0-9]*; do
    pid=${entry#/proc/}
    case " $found $more $$ " in *" $pid "*) continue ;; esac
    look_at "$pid" && belongs "$pid" && kill -STOP "$pid" && more="$more $pid"
  done
  [ -n "$more" ] || break
  found="$found $more"
done
[ -n "$found" ] && kill -KILL $found
cd /

[ -n "$directory" ] || exit 0

# A killed PostgreSQL leaves a System V segment behind, named in line 7 of its lock file.
if { sed -n 7p "$directory/data/postmaster.pid" >"$directory/segment"; } 2>/dev/null; then
  read -r key segment <"$directory/segment" && ipcrm -m "$segment"
fi 2>/dev/null

# A dying process may still finish a write; then the directory is not empty yet.
for pause in 0 0 0 0 0 0 0 0 1 1 1 2 2 5; do
  rm -rf "$directory" 2>/dev/null && exit 0
  sleep "$pause"
done
exit 1
