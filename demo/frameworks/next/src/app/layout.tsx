import type { ReactNode } from 'react';

export const metadata = { title: 'workspace-chat in Next.js' };

const Layout = ({ children }: { children: ReactNode }) => (
  <html lang="en">
    <body>{children}</body>
  </html>
);

export default Layout;
