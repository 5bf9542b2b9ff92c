import type { FC, PropsWithChildren } from 'hono/jsx';
import { visible } from '../domain/visible.ts';
import { Text } from './text.tsx';

/** How many fans reached each stage, for the versions of a campaign, oldest first. */
export interface FunnelFigure {
  readonly kind: 'funnel';
  readonly title: string;
  /** What is counted, in one line. */
  readonly note: string;
  readonly stages: readonly string[];
  readonly versions: readonly { readonly name: string; readonly counts: readonly number[] }[];
}

/** Dollars by day, one line for each name, all of them on one scale. */
export interface DailyFigure {
  readonly kind: 'daily';
  readonly title: string;
  readonly note: string;
  readonly rows: readonly { readonly name: string; readonly dollars: readonly number[] }[];
}

/** Numbers of what was sent. */
export type Figure = FunnelFigure | DailyFigure;

/** Drawn here and not by the script. Without figures, the section is left out. */
export const Figures: FC<{ readonly figures: readonly Figure[] }> = ({ figures }) =>
  figures.length === 0 ? null : (
    <section id="figures" aria-labelledby="h-fig">
      <div class="sec-h">
        <div>
          <h2 id="h-fig">Figures</h2>
          <p>What the live versions have done so far, as the service counted it when this was planned.</p>
        </div>
      </div>
      <div class="figs">
        {figures.map((figure, index) =>
          figure.kind === 'funnel' ? (
            <Funnel figure={figure} id={`figure-${index + 1}`} />
          ) : (
            <Daily figure={figure} />
          ),
        )}
      </div>
    </section>
  );

const Box: FC<PropsWithChildren<{ readonly title: string; readonly note: string }>> = ({
  title,
  note,
  children,
}) => (
  <figure class="fig">
    <figcaption>
      <h3>
        <Text text={title} />
      </h3>
      <p>
        <Text text={note} />
      </p>
    </figcaption>
    {children}
  </figure>
);

/** Two bars next to each other can be compared; the table has all versions. */
const VERSIONS_DRAWN = 2;
/** Of a stage with two bars, in pixels. Widths are percentages, so that text keeps its size at any width. */
const STAGE_HEIGHT = 48;
const BAR = { height: 14, step: 17, left: 21, width: 60 };

const Funnel: FC<{ readonly figure: FunnelFigure; readonly id: string }> = ({
  figure: { title, note, stages, versions },
  id,
}) => {
  const drawn = versions.slice(-VERSIONS_DRAWN);
  return (
    <Box title={title} note={note}>
      <svg height={stages.length * STAGE_HEIGHT} role="img" aria-labelledby={id}>
        <title id={id}>
          {visible(`${title}: ${stages.join(', ')}. The numbers are in the table below.`)}
        </title>
        {stages.map((stage, row) => (
          <Stage name={stage} row={row} versions={drawn} />
        ))}
      </svg>
      <ul class="key">
        {drawn.map(({ name }, index) => (
          <li>
            <svg width="12" height="12" aria-hidden="true">
              <rect class={colourOf(index, drawn)} width="12" height="12" rx="2" />
            </svg>
            <Text text={name} />
          </li>
        ))}
      </ul>
      <Table
        head={['Version', ...stages]}
        rows={versions.map(({ name, counts }) => [
          name,
          ...stages.map((_, row) => countWords(counts[row] ?? 0)),
        ])}
      />
    </Box>
  );
};

/** The older one is grey. */
function colourOf(index: number, { length }: FunnelFigure['versions']): 'b1' | 'b2' {
  return index === length - 1 ? 'b2' : 'b1';
}

const Stage: FC<{
  readonly name: string;
  readonly row: number;
  readonly versions: FunnelFigure['versions'];
}> = ({ name, row, versions }) => (
  <>
    <text x="0" y={row * STAGE_HEIGHT + 25}>
      {visible(name)}
    </text>
    {versions.map(({ counts }, index) => {
      const share = shareOf(counts, row);
      const y = row * STAGE_HEIGHT + 4 + index * BAR.step;
      const colour = colourOf(index, versions);
      return (
        <>
          <rect
            class={colour}
            x={`${BAR.left}%`}
            y={y}
            width={`${(share * BAR.width).toFixed(1)}%`}
            height={BAR.height}
            rx="2"
          />
          <text
            class={colour === 'b2' ? 'v' : undefined}
            x={`${(BAR.left + share * BAR.width + 1.5).toFixed(1)}%`}
            y={y + 11.5}
          >
            {row === 0 ? countWords(counts[0] ?? 0) : `${(share * 100).toFixed(1)} %`}
          </text>
        </>
      );
    })}
  </>
);

/** Of the first stage, from 0 to 1. */
function shareOf(counts: readonly number[], row: number): number {
  const [all = 0] = counts;
  return all > 0 ? Math.min(1, Math.max(0, (counts[row] ?? 0) / all)) : 0;
}

/** The space of one line, in its own units; it is as wide as it can be. */
const LINE = { width: 108, height: 36 };

const Daily: FC<{ readonly figure: DailyFigure }> = ({ figure: { title, note, rows } }) => {
  const top = Math.max(0, ...rows.flatMap(({ dollars }) => dollars));
  return (
    <Box
      title={title}
      note={rows.length === 1 ? note : `${note}, one scale, highest day ${dollarWords(top)}`}
    >
      <div class={rows.length === 1 ? 'multi one' : 'multi'}>
        {rows.map(({ name, dollars }) => (
          <div>
            <p>
              <span>
                <Text text={name} />
              </span>
              <span>{dollarWords(sum(dollars))}</span>
            </p>
            <svg viewBox={`0 0 ${LINE.width} ${LINE.height}`} preserveAspectRatio="none" role="img">
              <title>
                {visible(
                  `${name}: ${dollarWords(sum(dollars))} in ${dollars.length} days, best day ${dollarWords(Math.max(0, ...dollars))}`,
                )}
              </title>
              <line class="base" x1="0" x2={LINE.width} y1={LINE.height - 0.5} y2={LINE.height - 0.5} />
              <polyline class="ln" points={pointsOf(dollars, top)} />
            </svg>
          </div>
        ))}
      </div>
      <Table
        head={['Account', 'Total', 'Best day']}
        rows={rows.map(({ name, dollars }) => [
          name,
          dollarWords(sum(dollars)),
          dollarWords(Math.max(0, ...dollars)),
        ])}
      />
    </Box>
  );
};

function pointsOf(values: readonly number[], top: number): string {
  const step = LINE.width / Math.max(1, values.length - 1);
  const high = LINE.height - 2;
  return values
    .map((value, day) => {
      const y = LINE.height - 1 - (top > 0 ? (Math.max(0, value) / top) * high : 0);
      return `${(day * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

const Table: FC<{ readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }> = ({
  head,
  rows,
}) => (
  <details>
    <summary>As a table</summary>
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col">
              <Text text={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...values]) => (
          <tr>
            <th scope="row">
              <Text text={name} />
            </th>
            {values.map((value) => (
              <td>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function countWords(number: number): string {
  return number.toLocaleString('en-GB');
}

/** Whole dollars: these are to be compared and not to be paid. */
function dollarWords(number: number): string {
  return `$${Math.round(number).toLocaleString('en-GB')}`;
}
