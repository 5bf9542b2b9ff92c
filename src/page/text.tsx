import type { FC } from 'hono/jsx';
import { hiddenParts } from '../domain/visible.ts';
import { localIn, timeText, type TimeStyle } from './zone.ts';

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
          <span class="ctl">U+{part.code.toString(16).toUpperCase().padStart(4, '0')}</span>
        ),
      )}
    </>
  );
};

/** A time that the script can show in another zone. */
export const Time: FC<{ readonly at: string; readonly zone: string; readonly style?: TimeStyle }> = ({
  at,
  zone,
  style = 'dm',
}) => {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return <Text text={at} />;
  return (
    <time datetime={new Date(ms).toISOString()} data-f={style}>
      {timeText(zone, ms, style)}
    </time>
  );
};

/** A time with its day, and with its year if that is not the year of the plan. */
export const TimeWithDay: FC<{
  readonly at: string;
  readonly zone: string;
  readonly model: { readonly plannedMs: number | null };
}> = ({ at, zone, model: { plannedMs } }) => {
  const ms = Date.parse(at);
  const isThisYear =
    !Number.isNaN(ms) && plannedMs !== null && localIn(zone, ms).year === localIn(zone, plannedMs).year;
  return <Time at={at} zone={zone} style={isThisYear ? 'dm' : 'dmy'} />;
};

/** `Sun 29 Mar 2026 19:00 Europe/Berlin (17:00 UTC)`. */
export const FullTime: FC<{ readonly at: string; readonly zone: string }> = ({ at, zone }) => {
  const ms = Date.parse(at);
  const utc = Number.isNaN(ms) || zone === 'UTC' ? '' : ` (${utcWords(zone, ms)} UTC)`;
  return (
    <>
      <Time at={at} zone={zone} style="full" />
      {utc === '' ? null : <span class="mute">{utc}</span>}
    </>
  );
};

function utcWords(zone: string, ms: number): string {
  const [here, there] = [timeText(zone, ms, 'dm'), timeText('UTC', ms, 'dm')];
  return here.slice(0, -6) === there.slice(0, -6) ? there.slice(-5) : there;
}

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

/** A glyph in a square. The words next to it say the same. */
export const Mark: FC<{ readonly class: string; readonly glyph: string }> = ({ class: name, glyph }) => (
  <span class={`mk ${name}`} aria-hidden="true">
    {glyph}
  </span>
);

/** `alba, bruno and cleo`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
