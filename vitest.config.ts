import { defineConfig } from 'vitest/config';
import { pageAssetsInTests } from './scripts/page-assets.js';
import { mutantInTests } from './test/chaos/mutants/mutants.ts';
import { KEEPS_MODULES, keptModules } from './test/kept-modules.ts';
import { LongestFirst } from './test/longest-first.ts';
import { PROPERTIES, SMOKE, SYSTEM } from './test/projects.ts';

const plugins = [mutantInTests(), pageAssetsInTests, keptModules];

/** Whole scenarios leave much garbage behind. With this space, less of it is copied before it is gone. */
const ROOM_FOR_GARBAGE = '--max-semi-space-size=64';
/** Each fast test makes and drops a whole scene: with so much space from the start, they take another tenth less. */
const MORE_ROOM = ['--min-semi-space-size=64', '--max-semi-space-size=128'];
/** Much code runs a few times only. Compiled less eagerly by V8, the fast tests take a fifth less of the processor. */
const FEWER_COMPILED = '--interrupt-budget=1000000';
/** All that is loaded once serves all files: it gets its quick code at once, and keeps it while other files run. */
const COMPILED_ONCE = ['--always-sparkplug', '--no-flush-bytecode'];

const shared = {
  // All files of a worker share the modules, so that they are loaded once.
  isolate: false,
  testTimeout: 30_000,
  execArgv: [ROOM_FOR_GARBAGE],
  maxWorkers: 2,
};

const withProcesses = {
  ...shared,
  globalSetup: ['test/helpers/build-once.ts', 'test/helpers/postgres-once.ts'],
  testTimeout: 60_000,
  // Some begin with an `init` and an `apply` in processes of their own.
  hookTimeout: 60_000,
  maxConcurrency: 8,
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    experimental: { fsModuleCache: KEEPS_MODULES },
    sequence: { sequencer: LongestFirst },
    // CI measures coverage with the same command that everybody runs.
    coverage: {
      enabled: process.env['CI'] === 'true',
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      // It runs in browsers, and the tests of pages drive it there.
      exclude: ['src/page/browser/**'],
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      {
        plugins,
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...SMOKE, ...SYSTEM, ...PROPERTIES],
          execArgv: [...MORE_ROOM, FEWER_COMPILED, ...COMPILED_ONCE],
        },
      },
      {
        plugins,
        test: { ...shared, name: 'properties', include: PROPERTIES, testTimeout: 120_000 },
      },
      { plugins, test: { ...withProcesses, name: 'smoke', include: SMOKE } },
      {
        plugins,
        // After the others, because the number of workers is another one: these tests often wait for a process.
        test: {
          ...withProcesses,
          name: 'system',
          include: SYSTEM,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
