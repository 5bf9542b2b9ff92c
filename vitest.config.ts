import { defineConfig } from 'vitest/config';
import { eagerYamlInTests } from './scripts/eager-yaml.js';
import { SlowestFiles } from './test/slowest-files.ts';

/** Tests that start processes, wait in real time, or need the built command line. */
const PROCESS = [
  'test/cli/completion.test.ts',
  'test/cli/simulate.test.ts',
  'test/flows/{chat,payouts}-processes.test.ts',
  'test/flows/{full-disk,many-accounts,media-real,processes,real-settling,terminal,two-operators,vault-real}.test.ts',
  'test/host/{confined,kernel}.test.ts',
  'test/ledger/merged-by-git.test.ts',
  'test/live/rates.test.ts',
  'test/operations/stream.test.ts',
  'test/library/process.test.ts',
  'test/process/**/*.test.ts',
  'test/pages.test.ts',
];
/** Tests that draw hundreds of cases, whole scenarios, or inputs of thousands of lines. */
const PROPERTIES = [
  'test/api/json.test.ts',
  'test/workspace/{eager-yaml,malformed,scale}.test.ts',
  'test/flows/{acts-property,chaos,chaos-property,import-property}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/ledger/{compact,origins,reduce,reduction,views}.test.ts',
  'test/render/{hostile-output,plan-markdown}.test.ts',
];
/** Tests that replace a module or change the environment of their process. */
const ISOLATED = [
  'test/api/proxy.test.ts',
  'test/host/find-files.test.ts',
  'test/policy/made-up-rule.test.ts',
];

const shared = {
  testTimeout: 30_000,
  // Through the plugin, as the release is built.
  server: { deps: { inline: ['yaml'] } },
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: process.env['CI'] === 'true' ? ['default', new SlowestFiles()] : ['default'],
    // CI measures coverage with the same command that everybody runs.
    coverage: {
      enabled: process.env['CI'] === 'true',
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      {
        plugins: [eagerYamlInTests],
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...PROCESS, ...PROPERTIES, ...ISOLATED],
          isolate: false,
        },
      },
      { plugins: [eagerYamlInTests], test: { ...shared, name: 'isolated', include: ISOLATED } },
      {
        plugins: [eagerYamlInTests],
        test: { ...shared, name: 'properties', include: PROPERTIES, isolate: false, testTimeout: 120_000 },
      },
      {
        plugins: [eagerYamlInTests],
        test: {
          ...shared,
          name: 'process',
          include: PROCESS,
          globalSetup: ['test/helpers/build-once.ts'],
          testTimeout: 60_000,
          maxConcurrency: 2,
        },
      },
    ],
  },
});
