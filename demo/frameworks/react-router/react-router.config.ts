import type { Config } from '@react-router/dev/config';

export default { basename: '/shop/' } satisfies Config;
