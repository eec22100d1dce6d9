/** Writes the finished code for each kind of site, from values that the doctor has accepted. */

export interface InstallerSettings {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  /** The absolute URL of `embed.js`. */
  scriptUrl: string;
}

export const platforms = ['html', 'wordpress', 'shopify', 'gtm', 'next', 'react', 'vue'] as const;

export type Platform = (typeof platforms)[number];

export interface Snippet {
  /** The file that the code belongs to, or null when the platform's instructions name the place. */
  file: string | null;
  code: string;
}

const escapeHtml = (text: string): string => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const quote = (text: string): string =>
  `'${text.replace(/['\\<]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`)}'`;

const scriptTag = ({ scriptUrl, baseUrl, publishableKey, agentId }: InstallerSettings): string =>
  `<script
  async
  src="${escapeHtml(scriptUrl)}"
  data-base-url="${escapeHtml(baseUrl)}"
  data-publishable-key="${escapeHtml(publishableKey)}"
  data-agent-id="${escapeHtml(agentId)}"
></script>`;

/** Tag managers drop the attributes of script tags, so this code calls `configure`. Some accept only ES5. */
const tagManager = ({ scriptUrl, baseUrl, publishableKey, agentId }: InstallerSettings): string =>
  `<script>
  window.WorkspaceChat = window.WorkspaceChat || function () {
    (WorkspaceChat.q = WorkspaceChat.q || []).push(arguments);
  };
  WorkspaceChat('configure', {
    baseUrl: ${quote(baseUrl)},
    publishableKey: ${quote(publishableKey)},
    agentId: ${quote(agentId)}
  });
  var script = document.createElement('script');
  script.async = true;
  script.src = ${quote(scriptUrl)};
  document.head.appendChild(script);
</script>`;

/** Attributes of JSX and of HTML are escaped in the same way. */
const component = ({ baseUrl, publishableKey, agentId }: InstallerSettings, indent: string): string =>
  `<WorkspaceChat
  baseUrl="${escapeHtml(baseUrl)}"
  publishableKey="${escapeHtml(publishableKey)}"
  agentId="${escapeHtml(agentId)}"
/>`.replace(/^/gm, indent);

const react = (settings: InstallerSettings): string =>
  `import { WorkspaceChat } from 'workspace-chat/react';

export const Support = () => (
${component(settings, '  ')}
);`;

const next = (settings: InstallerSettings): string =>
  `import type { ReactNode } from 'react';
import { WorkspaceChat } from 'workspace-chat/react';

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
${component(settings, '        ')}
      </body>
    </html>
  );
}`;

const vue = ({ baseUrl, publishableKey, agentId }: InstallerSettings): string =>
  `<script setup lang="ts">
import 'workspace-chat';
import type {} from 'workspace-chat/vue';
</script>

<template>
  <workspace-chat
    base-url="${escapeHtml(baseUrl)}"
    publishable-key="${escapeHtml(publishableKey)}"
    agent-id="${escapeHtml(agentId)}"
  />
</template>`;

const vueConfig = `vue({
  template: {
    compilerOptions: { isCustomElement: (tag) => tag === 'workspace-chat' },
  },
})`;

const wordpress = (settings: InstallerSettings): string =>
  `add_action('wp_footer', function () { ?>
${scriptTag(settings)}
<?php });`;

/** The package is not in the npm registry yet. */
const install: Snippet = {
  file: null,
  code: `# In the repository of workspace-chat: npm install && npm run build && npm pack
npm install ../workspace-chat/workspace-chat-*.tgz`,
};

/** Returns the code for a kind of site, in the order in which it is used. */
export const snippetsFor = (platform: Platform, settings: InstallerSettings): Snippet[] =>
  ({
    html: () => [{ file: null, code: scriptTag(settings) }],
    wordpress: () => [{ file: 'functions.php', code: wordpress(settings) }],
    shopify: () => [{ file: 'layout/theme.liquid', code: scriptTag(settings) }],
    gtm: () => [{ file: null, code: tagManager(settings) }],
    next: () => [install, { file: 'app/layout.tsx', code: next(settings) }],
    react: () => [install, { file: 'src/support.tsx', code: react(settings) }],
    vue: () => [install, { file: 'src/support.vue', code: vue(settings) }, { file: 'vite.config.ts', code: vueConfig }],
  })[platform]();

const isBundled = (platform: Platform): boolean => platform === 'next' || platform === 'react' || platform === 'vue';

/** Returns the sources to add to a site's Content-Security-Policy, one directive a line. */
export const policyFor = (platform: Platform, { baseUrl, scriptUrl }: InstallerSettings): string =>
  [
    // A bundle contains the chat, so the policy allows it already.
    ...(isBundled(platform) ? [] : [`script-src ${new URL(scriptUrl).origin}`]),
    `connect-src ${new URL(baseUrl).origin}`,
    `trusted-types lit-html 'allow-duplicates'`,
  ].join(';\n');
