/* global SwaggerUIBundle */
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

// "Try it out" would wait for the complete response, and a stream never ends.
const isStream = (state, path, method) =>
  state.getIn(['json', 'paths', path, method, 'responses', '200', 'content'])?.has('text/event-stream') ?? false;

SwaggerUIBundle({
  url: '/docs/openapi.json',
  domNode: document.querySelector('#reference'),
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  // The token is the only secret on this page, so it is dropped with the tab.
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [
    {
      statePlugins: {
        spec: {
          wrapSelectors: {
            allowTryItOutFor: () => (state, path, method) => !isStream(state, path, method),
          },
        },
      },
    },
  ],
});
