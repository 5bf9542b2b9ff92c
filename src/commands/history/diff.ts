import { defineCommand } from '../../cli/define-command.ts';
import { optionalWord, word } from '../../cli/flags.ts';
import type { HistoryDiff } from '../../cli/schemas.ts';
import { chooseVersion, readVersions, requireContent, type Versions } from '../../cli/versions.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { quoted } from '../../domain/visible.ts';
import { compareVersions, type Version } from '../../library/history.ts';
import { renderHistoryDiff } from '../../render/versions-text.ts';

/** Compares two declared versions of one resource. */
export const diff = defineCommand({
  path: 'history diff',
  about: 'compare two declared versions of a resource (default: the last two)',
  examples: [
    'herald history diff alice/campaign/Welcome',
    'herald history diff alice/campaign/Welcome 1a2b3c4d --format json',
  ],
  more: 'FROM and TO are the beginning of a digest (column version), a live id, or an entry.',
  words: { address: word('ADDRESS'), from: optionalWord('FROM'), to: optionalWord('TO') },
  needs: 'state',
  run: async ({ output }, { address, from, to }, state) => {
    const found = await readVersions(state, address, 'diff');
    const [older, newer] = chooseTwo(found, from, to);
    const fields = compareVersions(
      requireContent(found.address, older),
      requireContent(found.address, newer),
    );
    const report: HistoryDiff = {
      schema: 'herald/history-diff/1',
      address: found.address,
      from: describeVersion(older),
      to: describeVersion(newer),
      fields: [...fields],
    };
    return { json: () => report, text: () => renderHistoryDiff(report, output) };
  },
});

/** The versions to compare: the given ones, or the last two. One given version is compared with the last. */
function chooseTwo(
  found: Versions,
  from: string | undefined,
  to: string | undefined,
): readonly [Version, Version] {
  const { address, versions } = found;
  const newer = to === undefined ? versions.at(-1) : chooseVersion(found, to);
  const older = from === undefined ? versions.at(-2) : chooseVersion(found, from);
  if (newer !== undefined && older !== undefined) return [older, newer];
  const number = versions.length === 0 ? 'no version' : 'only one version';
  throw new HeraldError(
    'no-two-versions',
    `The state has ${number} of ${quoted(address)}, so there is nothing to compare.`,
    'Only versions that Herald created are recorded.',
  );
}

function describeVersion({ item }: Version): HistoryDiff['from'] {
  const { entry, at, run, who, outcome, live_id, content_digest } = item;
  return { entry, at, run, who, outcome, live_id, content_digest };
}
