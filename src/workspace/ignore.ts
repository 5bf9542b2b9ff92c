import { COMPARED_FIELDS, fieldSteps, isCompared } from '../domain/field-path.ts';
import { compareText } from '../domain/diagnostic.ts';
import type { Kind } from '../domain/resource.ts';
import { problem, type Finding, type Path } from './findings.ts';
import type { Rule } from './rules/rule.ts';
import { didYouMean } from './suggest.ts';

/** One spelling for each path, sorted, each once: `messages[0].text` becomes `messages.0.text`. */
export function readIgnore(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  const paths = lists.flatMap((list) => list ?? []).map((path) => fieldSteps(path).join('.'));
  return paths.length === 0 ? NOTHING : [...new Set(paths)].sort(compareText);
}

const NOTHING: readonly string[] = [];

/** The paths of one resource's own `ignore`. */
export function ignoresWhatIsCompared(kind: Kind): Rule<{ readonly ignore?: readonly string[] | undefined }> {
  return ({ ignore }) => checkIgnore(ignore, [kind]);
}

/** A path that no plan ever compares would silently ignore nothing. */
export function checkIgnore(written: readonly string[] | undefined, kinds: readonly Kind[]): Finding[] {
  if ((written ?? []).length > IGNORE_MAX) return [TOO_MANY];
  return (written ?? []).flatMap((path, index) => {
    if (kinds.some((kind) => isCompared(kind, path))) return [];
    return [unknownPath(path, ['ignore', index], kinds)];
  });
}

/** Paths of one `ignore`: no resource has as many fields. */
const IGNORE_MAX = 200;

const TOO_MANY = problem(
  'too-many-paths',
  ['ignore', IGNORE_MAX],
  `This is more than the ${IGNORE_MAX} paths that one \`ignore\` may have: remove those that are not needed.`,
);

function unknownPath(path: string, at: Path, kinds: readonly Kind[]): Finding {
  const known = [...new Set(kinds.flatMap((kind) => COMPARED_FIELDS[kind]))];
  const spelled = fieldSteps(path)
    .map((step) => (/^\d+$/.test(step) ? '*' : step))
    .join('.');
  const message = `"${path}" is compared by no plan, so there is nothing to ignore.${didYouMean(spelled, known)} Known here: ${known.join(', ')}.`;
  return problem('unknown-path', at, message);
}
