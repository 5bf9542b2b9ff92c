import { countBytes } from '../render/markdown-escape.ts';

/** A plan that a later one replaced. */
export interface EarlierPlan {
  readonly summary: string;
  /** Empty if it was left out for its size. */
  readonly text: string;
}

/** Plans before these are left out. */
const EARLIER_MAX = 5;

const EACH = '<!-- herald:earlier-plan -->';

/** Earlier plans, folded away, the newest first. Those that do not fit into so many bytes lose their texts. */
export function foldedWithin(plans: readonly EarlierPlan[], bytes: number): readonly string[] {
  const all = plans.slice(0, EARLIER_MAX);
  let space = bytes - countBytes(all.flatMap((plan) => lineOf(plan)));
  return all.flatMap((plan) => {
    const whole = folded(plan);
    const more = countBytes(whole) - countBytes(lineOf(plan));
    if (plan.text === '' || more > space) return lineOf(plan);
    space -= more;
    return whole;
  });
}

/** The plans that `foldedWithin` wrote. */
export function foldedIn(part: string): readonly EarlierPlan[] {
  return part
    .split(EACH)
    .map((one) => one.trim())
    .flatMap((one) => {
      const [, summary, text] = FOLDED.exec(one) ?? [];
      if (summary !== undefined) return [{ summary, text: text ?? '' }];
      const short = /^Earlier: (.*)$/.exec(one)?.[1];
      return short === undefined ? [] : [{ summary: short, text: '' }];
    });
}

const FOLDED = /^<details><summary>Earlier: (.*)<\/summary>\n\n([^]*)\n\n<\/details>$/;

function folded({ summary, text }: EarlierPlan): readonly string[] {
  return [EACH, `<details><summary>Earlier: ${summary}</summary>`, '', text, '', '</details>'];
}

function lineOf({ summary }: EarlierPlan): readonly string[] {
  return [EACH, `Earlier: ${summary}`];
}
