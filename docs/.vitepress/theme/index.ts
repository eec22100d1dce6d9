/** The theme of the site: VitePress's own without its web font, the live examples, and a chat on the home page. */
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import HomeChat from './home-chat.vue';
import LiveExample from './live-example.vue';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(HomeChat) }),
  enhanceApp({ app }) {
    app.component('LiveExample', LiveExample);
  },
};

export default theme;
