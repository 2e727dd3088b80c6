// A link of another site comes without our cookie, which only our own pages send: so this page goes on.
if (location.hash && !location.search) location.replace(`/?again${location.hash}`);
