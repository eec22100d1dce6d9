/** A server component: the server sends the chat's tag as HTML. */
import { Support } from './support.tsx';

const Page = () => (
  <main>
    <h1>Next.js</h1>
    <Support />
  </main>
);

export default Page;
