import { solidStart } from '@solidjs/start/config';
import { nitro } from 'nitro/vite';
import { defineConfig } from 'vite';

export default defineConfig({ base: '/shop/', plugins: [solidStart(), nitro({ baseURL: '/shop/' })] });
