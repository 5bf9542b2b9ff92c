import type { Knowledge, OpenCreate } from '../../domain/knowledge.ts';
import type { Declared } from '../../domain/resource.ts';
import type { Scope } from '../scope.ts';
import { withSuccessors } from '../successors.ts';
import type { OpenIndex } from './guards.ts';

/**
 * Unconfirmed creates that replace a version of what a file declares. The name of such a create may be in no file any
 * more, if the rename was corrected or reverted meanwhile.
 */
export function openSuccessorsIn(
  { index }: Pick<Scope, 'index'>,
  open: Pick<OpenIndex, 'replacing'>,
  knowledge: Knowledge,
): (declared: Declared) => readonly OpenCreate[] {
  return (declared) => [...withSuccessors(index.groupOf(declared), knowledge)].flatMap(open.replacing);
}
