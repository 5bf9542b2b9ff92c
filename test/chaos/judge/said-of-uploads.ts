import { vaultTruth } from '../../../src/simulator/vault/truth.ts';
import { sha256 } from '../../helpers/uploads.ts';
import { uploadPath } from '../commands.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';
import { isUndisturbed, isUnhindered } from './calm.ts';

const DONE = 0;
const FAILED = 1;
const UNKNOWN = 3;

/**
 * What an upload said, against the vault and the answers to its requests:
 *
 * | exit | is false if                                      |
 * |------|--------------------------------------------------|
 * | 0    | the vault does not have its bytes                |
 * | 1    | its export was answered with success             |
 * | 3    | each of its requests was answered with success   |
 */
export function saidOfUploads(chaos: Chaos, { process, ran: { code }, interrupted }: Ended): string[] {
  const { command } = process.run;
  if (command.kind !== 'upload' || interrupted || process.lockLostMs !== null) return [];
  const problem = problemOf(chaos, process, uploadPath(command.bytes), code);
  return problem === null ? [] : [`upload, exit ${code}: ${problem}`];
}

function problemOf(chaos: Chaos, process: Ended['process'], path: string, code: number): string | null {
  const { world } = chaos.simulator;
  switch (code) {
    case DONE: {
      const bytes = process.actor.scene.bytes.blobs[path];
      const exported = vaultTruth(world)['101']?.exported ?? [];
      const isThere = bytes !== undefined && exported.some((one) => one.sha256 === sha256(bytes));
      return isThere ? null : 'the vault does not have its bytes';
    }
    case FAILED:
      return process.run.cut === null && hasExported(chaos, process) ? 'its export was answered' : null;
    case UNKNOWN:
      return process.writes.length > 0 && isUndisturbed(chaos, process) && isUnhindered(chaos, process)
        ? 'each of its requests was answered'
        : null;
    default:
      return null;
  }
}

function hasExported({ simulator: { world } }: Chaos, { requests }: Ended['process']): boolean {
  return world.requests.some(
    ({ request, operation, status, fault }) =>
      requests.has(request) && operation === 'vault.upload-export' && status === 200 && fault === null,
  );
}
