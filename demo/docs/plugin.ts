/** Serves the docs below `/docs/` of the demo site, rendered as they are asked for. */
import type { Plugin } from 'vite';
import { docsFolder, readPages } from './pages.ts';
import { renderPage } from './render.ts';

export const docs = (): Plugin => ({
  name: 'docs',
  configureServer(server) {
    server.watcher.add(docsFolder);
    server.watcher.on('change', (file) => {
      if (file.startsWith(docsFolder)) server.ws.send({ type: 'full-reload' });
    });
    server.middlewares.use('/docs', async (request, response, next) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      const path = pathname.replace(/^\//, '');
      if (path !== '' && !path.endsWith('.html')) return next();
      // Relative links need the slash.
      if (!request.originalUrl?.startsWith('/docs/')) return response.writeHead(302, { location: '/docs/' }).end();
      try {
        const groups = await readPages();
        const page = groups.flatMap(({ pages }) => pages).find((each) => each.path === path);
        if (!page) return response.writeHead(404).end('There is no such page.');
        const html = await server.transformIndexHtml(`/docs/${path || 'index.html'}`, renderPage(page, groups));
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(html);
      } catch (error) {
        next(error);
      }
    });
  },
});
