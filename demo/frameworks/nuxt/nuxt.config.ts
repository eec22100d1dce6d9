export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  app: { baseURL: '/shop/', head: { title: 'workspace-chat in Nuxt', htmlAttrs: { lang: 'en' } } },
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'workspace-chat' } },
});
