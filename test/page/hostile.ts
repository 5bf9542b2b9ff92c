import type { Plan } from '../../src/domain/change.ts';

/** Texts that try to become markup, to run, or to disguise what is next to them. */
export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '</script><script>alert(1)</script><!--',
  '</style><style>*{display:none}',
  'invoice\u202Egpj.exe\u2066\u0000\u0007\u2028',
  '{{first_name}} \\{{ {{ }} {{constructor}} {{__proto__}}',
  'x'.repeat(500),
  '🎉'.repeat(500),
  '',
] as const;

/** Texts of a plan that have a fixed set of values, or that the page reads as something else than text. */
const NOT_TEXT = ['schema', 'kind', 'action', 'source', 'severity', 'what', 'cause'];

/** The plan with another text in each of its fields. Fields with a closed set of values stay. */
export function withTexts(plan: Plan, text: string): Plan {
  return change(plan, '', text) as Plan;
}

function change(value: unknown, path: string, text: string): unknown {
  const key = path.split('.').at(-1) ?? '';
  if (typeof value === 'string') {
    if (NOT_TEXT.includes(key) || path.includes('allowed') || path.includes('needs')) return value;
    return text;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => change(item, path, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, change(item, `${path}.${name}`, text)]),
  );
}
