import type { FC } from 'hono/jsx';
import type { ChangeKind } from '../domain/change.ts';
import { hiddenParts } from '../domain/visible.ts';
import { formatTime, formatTimesIn } from '../render/values.ts';
import { CHANGE_WORDS } from '../render/wording.ts';

/** Text from outside. Characters that could change how the rest reads are a box with their code. */
export const Text: FC<{ readonly text: string }> = ({ text }) => {
  const parts = hiddenParts(text);
  if (parts.length === 1 && typeof parts[0] === 'string') return <>{parts[0]}</>;
  return (
    <>
      {parts.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span class="ctl">U+{part.toString(16).toUpperCase().padStart(4, '0')}</span>
        ),
      )}
    </>
  );
};

/** `Sun 29 Mar 2026 19:00 Europe/Berlin (17:00 UTC)`. */
export const Time: FC<{ readonly at: string; readonly zone: string }> = ({ at, zone }) => {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return <Text text={at} />;
  const instant = new Date(ms).toISOString();
  return <time datetime={instant}>{formatTime(instant, zone)}</time>;
};

/** A sentence with its times as people say them. */
export const Prose: FC<{ readonly text: string; readonly zone: string }> = ({ text, zone }) => (
  <Text text={formatTimesIn(text, zone)} />
);

/** A command that can be copied with one click. */
export const Command: FC<{ readonly line: string }> = ({ line }) => (
  <span class="cmd">
    <code>
      <Text text={line} />
    </code>
    <button class="btn copy js" type="button" hidden>
      Copy<span class="vh"> the command</span>
    </button>
  </span>
);

/** The mark of an action in a square. The words next to it say the same. */
export const Mark: FC<{ readonly action: ChangeKind }> = ({ action }) => (
  <span class={`mk ${action}`} aria-hidden="true">
    {CHANGE_WORDS[action].mark}
  </span>
);

/** `alba, bruno and cleo`; of more than `most`, `alba, bruno and 3 more`. */
export function listed(names: readonly string[], most = Infinity): string {
  const left = names.length - most;
  const shown = left > 0 ? [...names.slice(0, most - 1), `${left + 1} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** `alba`, or `12 accounts`. */
export const AccountNames: FC<{ readonly names: readonly string[] }> = ({ names }) => (
  <Text text={names.length === 1 ? (names[0] ?? '') : `${names.length} accounts`} />
);
