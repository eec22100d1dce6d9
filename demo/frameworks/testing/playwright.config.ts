import { defineConfig } from '@playwright/test';

const port = process.env['PORT'] ?? '4173';
const executablePath = process.env['CHROME_PATH'];

export default defineConfig({
  testDir: 'test',
  testMatch: '*.spec.ts',
  use: { baseURL: `http://localhost:${port}`, launchOptions: executablePath ? { executablePath } : {} },
  webServer: { command: `vite preview --strictPort --port ${port}`, port: Number(port), reuseExistingServer: false },
});
