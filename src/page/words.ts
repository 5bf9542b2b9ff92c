import type { ChangeKind } from '../domain/change.ts';
import { WORDS, type PlanTitle } from '../render/wording.ts';

/** What a document is about: what apply would do, what differs, or what the files declare. */
export type PageTitle = PlanTitle | 'preview';

/** `create`, or `to create` after a number, and `missing` for a drift. */
export function nameChange(
  title: PageTitle,
  action: ChangeKind,
  form: 'label' | 'counted' = 'label',
): string {
  return title === 'preview' ? 'declared' : WORDS[title][action][form];
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const PLAN = /<script type="application\/json" id="plan" data-title="(plan|drift|preview)">([^]*?)<\/script>/;

/** The plan that a page of Herald holds, or a JSON document. Undefined for anything else. */
export function readBack(text: string): { readonly title: PageTitle; readonly document: unknown } {
  const [, found = 'plan', json = text] = PLAN.exec(text) ?? [];
  const title = found as PageTitle;
  try {
    return { title, document: JSON.parse(json) };
  } catch {
    return { title, document: undefined };
  }
}
