import type { PlanTitle } from '../render/wording.ts';

/** What a document is about: what apply would do, what differs, or what the files declare. */
export type PageTitle = PlanTitle | 'preview';

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
