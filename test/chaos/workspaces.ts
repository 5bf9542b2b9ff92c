import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serializeWorld } from '../../src/simulator/world.ts';
import { drive } from './drive.ts';
import { scenarioOf } from './scenario.ts';

// Writes the workspaces that drawn scenarios leave behind, one JSON file each: `workspaces.ts DIRECTORY RUNS`.
const [directory = '', runs = '200'] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });

/** Everything that a plan of the workspace depends on. */
export interface LeftWorkspace {
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly world: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

for (let seed = 1; seed <= Number(runs); seed += 1) {
  await drive(scenarioOf(seed), undefined, ({ actors, simulator, clock }) => {
    for (const { name, scene } of actors) {
      const left: LeftWorkspace = {
        files: { ...scene.files.tree },
        env: { ...scene.env },
        world: serializeWorld(simulator.world),
        nowMs: clock.now(),
      };
      writeFileSync(join(directory, `${seed}-${name}.json`), JSON.stringify(left));
    }
  });
}
