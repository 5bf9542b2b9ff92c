import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the slowest test files at the end, so that a slow one is noticed in the change that brings it. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ id: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN);
    console.log('\nSlowest files:');
    for (const { id, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${id}`);
  }
}
