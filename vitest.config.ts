import { defineConfig } from 'vitest/config';
import { eagerYamlInTests } from './scripts/eager-yaml.js';

export default defineConfig({
  plugins: [eagerYamlInTests],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // Through the plugin, as the release is built.
    server: { deps: { inline: ['yaml'] } },
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
  },
});
