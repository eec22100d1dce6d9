import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['jsdom', 'happy-dom'].map((environment) => ({
      test: { name: environment, environment, include: ['test/*.test.ts'] },
    })),
  },
});
