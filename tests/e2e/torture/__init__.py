"""Long attempts to make real daemons break a promise; short versions run in the suite."""
