import type { Change, Plan } from '../../domain/change.ts';
import { compareDiagnostics, type Diagnostic } from '../../domain/diagnostic.ts';
import type { Policy } from '../../domain/policy.ts';
import { compareAddresses, type Declared, type PlaceOf } from '../../domain/resource.ts';
import { NOTHING_KNOWN } from '../../domain/knowledge.ts';
import type { ServiceIdentity } from '../../domain/service-identity.ts';
import { summarise } from '../build.ts';
import { policyFindings } from '../policy-findings.ts';
import { describePlan, type Circumstances } from './describe.ts';

interface DeclaredInput extends Circumstances {
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly settings: Parameters<typeof describePlan>[1]['settings'] & {
    readonly policy: Policy;
    readonly service: { readonly identity: ServiceIdentity };
  };
  readonly warnings: readonly Diagnostic[];
  readonly nowMs: number;
}

/** What the files declare, as the plan of a service that has nothing yet. Nothing is read, and nothing can be applied. */
export function declaredPlan(input: DeclaredInput): Plan {
  const { declared, settings, warnings, placeOf, nowMs } = input;
  const changes = declared
    .map(asCreate)
    .toSorted((left, right) => compareAddresses(left.address, right.address));
  const findings = policyFindings(
    { declared, policy: settings.policy, placeOf, nowMs, leftOut: new Set() },
    [],
    [],
  );
  const plan: Plan = {
    schema: 'herald/plan/1',
    service: settings.service.identity,
    changes,
    summary: summarise(changes),
    diagnostics: [...warnings, ...findings].toSorted(compareDiagnostics),
    eta_sec: 0,
  };
  return describePlan(plan, { ...input, contents: true, observed: [], knowledge: NOTHING_KNOWN });
}

function asCreate({ address }: Declared): Change {
  return {
    address,
    action: 'create',
    live_id: null,
    reasons: [],
    fields: [],
    dropped: [],
    steps: [],
    needs: [],
    reversible: true,
    undo: '',
  };
}
