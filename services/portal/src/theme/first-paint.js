// Applies the chosen theme before the first paint; otherwise a dark page would flash white. The theme menu uses the same key.
(function () {
  var chosen = localStorage.getItem('po.theme');
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
