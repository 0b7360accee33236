# Ends the script if a program reported a full disk, so that registry and package are not blamed.

refuse_full() {
  case $1 in
    *'o space left on device'* | *'isk quota exceeded'*) fail 73 'The disk of the server is full. Make room there, and deploy again.' ;;
  esac
}
