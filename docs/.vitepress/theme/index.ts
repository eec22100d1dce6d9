/** The theme of the site: VitePress's own without its web font, the live examples, and a chat on the home page. */
import { useData, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted, watch } from 'vue';
import HomeChat from './home-chat.vue';
import LiveExample from './live-example.vue';
import './style.css';

const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  // The default theme has a main landmark on all pages but the home pages.
  const setLandmark = (): void => {
    const content = document.querySelector('#VPContent');
    if (frontmatter.value['layout'] === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(setLandmark);
  watch(frontmatter, setLandmark, { flush: 'post' });
  return () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(HomeChat) });
});

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('LiveExample', LiveExample);
  },
};

export default theme;
