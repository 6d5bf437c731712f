// The chosen theme before the first paint, else a dark page would flash white. The key is that of the theme's switch.
(function () {
  var chosen = localStorage.getItem('po.theme');
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
