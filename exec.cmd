@rem The scripts of package.json begin with `exec`, so that on Linux and macOS npm's signals reach the
@rem command and not a shell that dies of them. Windows finds this file in its place.
@%*
