# Builds a copy of nginx's configuration with one site's file changed, for nginx itself to test.
#
# Every file that nginx reads is in `$tree` under its own path: as a link, or, if it includes other files, as a copy whose
# includes point into the tree, line for line like the original. So the live configuration is not touched, relative paths
# keep their meaning, and an error names the right file once `$tree` is removed from its path.
#
# In: work, a folder of ours; tree, a folder in it; nginx_folder, file: those of the site; wanted: '-' if the file is to be
# removed, else `$work/candidate` contains its text. Sets main, pid_file, error_log.

# Sets main to the file that nginx begins with.
find_main() {
  main=$(nginx -t 2>&1 | sed -n -e 's/^nginx: the configuration file \(.*\) syntax is ok$/\1/p' -e 's/^nginx: configuration file \(.*\) test .*$/\1/p' | head -n 1)
  [ -f "$main" ] || fail 2 'The main configuration file of nginx cannot be found: nginx -t does not name it.'
}

# Creates the folder $1 in the tree, with links to all that is in it. Every part of its path is created, and none is a
# link, so what is written below stays in the tree.
mirror() {
  left=${1#/}/
  at=
  while [ -n "$left" ]; do
    part=${left%%/*}
    left=${left#*/}
    [ -n "$part" ] || continue
    at=$at/$part
    if [ -d "$tree$at" ] && [ ! -L "$tree$at" ]; then continue; fi
    rm -f "$tree$at"
    mkdir -p "$tree$at" || fail 73 "$tree$at cannot be created."
    set --
    for entry in "$at"/* "$at"/.[!.]*; do
      if [ -e "$entry" ] || [ -L "$entry" ]; then set -- "$@" "$entry"; fi
    done
    [ $# = 0 ] || ln -s "$@" "$tree$at/" || fail 73 "Links cannot be created in $tree."
    if [ "$at" -ef "$nginx_folder" ]; then
      rm -f "$tree$at/$file"
      [ "$wanted" = - ] || cp "$work/candidate" "$tree$at/$file" || fail 73 "$tree cannot be written."
      printf '%s\n' "$at/$file" >>"$work/placed"
    fi
  done
}

# The files of the tree that $work/includes names, as paths of the server.
included_files() {
  sed -n 's/^include //p' "$work/includes" | sort -u | while IFS= read -r pattern; do
    IFS=
    case ${pattern%/*} in
      *[*?[]*) for directory in ${pattern%/*}; do [ ! -d "$directory" ] || mirror "$directory"; done ;;
      *) [ ! -d "${pattern%/*}" ] || mirror "${pattern%/*}" ;;
    esac
    # shellcheck disable=SC2231
    for one in $tree$pattern; do [ ! -f "$one" ] || printf '%s\n' "${one#"$tree"}"; done
  done | sort -u
}

# Copies the files $@ to numbered files in `$copies`, and reports their includes and other relevant directives.
follow_includes() {
  awk '
# Every file that nginx reads is in `$tree` under its own path: as a link, or, if it includes other files, as a copy
# whose includes point into the tree, line for line like the original. So the live configuration is not touched,
# relative paths keep their meaning, and an error names the right file once `$tree` is removed from its path.
# Copies files to numbered files in `$copies`, and reports their includes and other relevant directives.
  function end_word() {
    count++
    if (count == 1) first = word
    else if (count == 2) {
      if (first == "include") {
        if (word !~ /^\//) word = prefix "/" word
        print "include " word
        raw = "\"" tree word "\""
      } else if (depth == 0 && (first == "pid" || first == "error_log")) print first " " word
    }
    made = made raw
    raw = word = ""
    inside = 0
  }
  BEGIN {
    tree = ENVIRON["tree"]
    prefix = ENVIRON["prefix"]
    copies = ENVIRON["copies"]
  }
  FNR == 1 {
    if (number) close(copy)
    copy = copies "/" ++number
    quote = raw = word = ""
    inside = count = depth = 0
  }
  {
    line = $0
    length_of_line = length(line)
    made = ""
    for (i = 1; i <= length_of_line; i++) {
      c = substr(line, i, 1)
      if (quote != "") {
        raw = raw c
        if (c == "\\") {
          i++
          word = word c substr(line, i, 1)
          raw = raw substr(line, i, 1)
        } else if (c == quote) {
          quote = ""
          end_word()
        } else word = word c
        continue
      }
      if (inside) {
        if (c != " " && c != "\t" && c != "\r" && c != ";" && !(c == "{" && before != "$")) {
          word = word c
          raw = raw c
          before = c
          continue
        }
        end_word()
      }
      if (c == "#") {
        made = made substr(line, i)
        break
      }
      if (c == ";" || c == "{" || c == "}") {
        count = 0
        if (c == "{") depth++
        if (c == "}") depth--
      } else if (c == "\"" || c == "\047") {
        quote = raw = c
        continue
      } else if (c != " " && c != "\t" && c != "\r") {
        inside = 1
        word = raw = before = c
        continue
      }
      made = made c
    }
    if (inside) end_word()
    if (quote != "") {
      # It goes on in the next line.
      made = made raw
      raw = ""
    }
    print made > copy
  }' "$@"
}
# The server names of the configuration $1, one per line.
server_names() {
  awk '
  { sub(/#.*/, ""); gsub(/["\047]/, ""); gsub(/[{}]/, ";"); text = text " " $0 }
  END {
    count = split(text, statements, ";")
    for (i = 1; i <= count; i++) {
      words = split(statements[i], word, " ")
      if (word[1] == "server_name") for (j = 2; j <= words; j++) print word[j]
    }
  }' "$1"
}

build_tree() {
  find_main
  rm -rf "$tree" "$work/copies"
  mkdir -p "$tree" "$work/copies" || fail 73 "$work cannot be written."
  true >"$work/placed"
  true >"$work/seen"
  true >"$work/facts"
  mirror "${main%/*}"
  printf '%s\n' "$main" >"$work/next"
  while [ -s "$work/next" ]; do
    cat "$work/next" >>"$work/seen"
    set --
    while IFS= read -r one; do set -- "$@" "$tree$one"; done <"$work/next"
    grep -l include /dev/null "$@" >"$work/with"
    set --
    while IFS= read -r one; do set -- "$@" "$one"; done <"$work/with"
    [ $# != 0 ] || break
    tree=$tree prefix=${main%/*} copies=$work/copies follow_includes "$@" >"$work/includes" || fail 73 "$work/copies cannot be written."
    cat "$work/includes" >>"$work/facts"
    number=0
    for one in "$@"; do
      number=$((number + 1))
      mv -f "$work/copies/$number" "$one" || fail 73 "$tree cannot be written."
    done
    included_files >"$work/found"
    grep -v -x -F -f "$work/seen" "$work/found" >"$work/next"
  done
  pid_file=$(setting pid pid-path)
  error_log=$(setting error_log error-log-path)
}
# The main setting $1, or what was built in as --$2, as an absolute path.
setting() {
  value=$(sed -n "s/^$1 //p" "$work/facts" | tail -n 1)
  [ -n "$value" ] || value=$(built_in "$2")
  case $value in
    /* | '') printf '%s' "$value" ;;
    *) printf '%s/%s' "$(built_in prefix)" "$value" ;;
  esac
}

# Whether nginx reads the file at all: only then does its test mean something.
is_read() { grep -q -x -F -f "$work/placed" "$work/seen"; }

# Tests the tree, messages go to $work/said as if it were the live configuration.
test_tree() {
  nginx -t -c "$tree$main" >"$work/raw" 2>&1
  code=$?
  sed "s|$tree||g" "$work/raw" >"$work/said"
  return "$code"
}

# A name of the candidate that another file also answers for: nginx only warns, and ignores one of the two.
conflicting_name() {
  sed -n 's/^.*\[warn\] .*conflicting server name "\(.*\)" on .*$/\1/p' "$work/said" | sort -u >"$work/conflicts"
  [ -s "$work/conflicts" ] || return 1
  server_names "$work/candidate" >"$work/names"
  printf '%s\n' "${file%.conf}" >>"$work/names"
  grep -x -F -f "$work/names" "$work/conflicts" | head -n 1 | grep .
}

# Reports the error of nginx in the file $1, with its place if there is one.
tell_error() {
  sed 's/^/  /' "$1" >&2
  why=$(grep -E '\[(emerg|alert|crit)\]' "$1" | head -n 1 | sed 's/^[^]]*\] //; s/^[0-9]*#[0-9]*: //')
  [ -n "$why" ] || why=$(tail -n 1 "$1")
  place=$(printf '%s\n' "$why" | sed -n 's|^.* in \(/.*:[0-9][0-9]*\)$|\1|p')
  # For a certificate, nginx names only the wrong file, and not the site that uses it.
  named=$(printf '%s\n' "$why" | sed -n 's/^[^"]*"\(\/[^"]*\)".*/\1/p')
  if [ -z "$place" ] && [ -n "$named" ] && [ -s "$work/seen" ]; then
    place=$(while IFS= read -r one; do
      line=$(grep -n -F -e "$named" "$tree$one" 2>/dev/null | head -n 1 | cut -d : -f 1)
      [ -z "$line" ] || printf '%s:%s\n' "$one" "$line"
    done <"$work/seen" | head -n 1)
  fi
  if [ -n "$place" ]; then
    report errorFile "${place%:*}"
    report errorLine "${place##*:}"
    why=${why%" in $place"}
  fi
  report error "$why"
}
