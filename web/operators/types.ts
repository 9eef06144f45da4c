// Generated from server/src/desk-operations.ts by npm run generate.

/** Every route, with what it takes and what it answers. */
export interface Routes {
  'GET /session': { query: undefined; body: undefined; answer: components['schemas']['ShowSessionResult'] }
  'DELETE /session': { query: undefined; body: undefined; answer: components['schemas']['EndSessionResult'] }
  'POST /decisions/preview': { query: undefined; body: components['schemas']['PreviewDecisionInput']; answer: components['schemas']['PreviewDecisionResult'] }
  'POST /decisions': { query: undefined; body: components['schemas']['MakeDecisionInput']; answer: components['schemas']['MakeDecisionResult'] }
  'GET /decisions': { query: components['schemas']['ListDecisionsQuery']; body: undefined; answer: components['schemas']['ListDecisionsResult'] }
  'GET /decisions/{id}': { query: undefined; body: undefined; answer: components['schemas']['GetDecisionResult'] }
  'POST /decisions/{id}/agree': { query: undefined; body: components['schemas']['AgreeToDecisionInput']; answer: components['schemas']['AgreeToDecisionResult'] }
  'POST /decisions/{id}/decline': { query: undefined; body: components['schemas']['DeclineDecisionInput']; answer: components['schemas']['DeclineDecisionResult'] }
  'POST /decisions/{id}/withdraw': { query: undefined; body: components['schemas']['WithdrawDecisionInput']; answer: components['schemas']['WithdrawDecisionResult'] }
  'POST /decisions/{id}/undo': { query: undefined; body: components['schemas']['UndoDecisionInput']; answer: components['schemas']['UndoDecisionResult'] }
  'GET /limits': { query: undefined; body: undefined; answer: components['schemas']['ListLimitsResult'] }
}

export interface components {
    schemas: {
        AgreeToDecisionInput: Record<string, unknown>;
        AgreeToDecisionResult: {
            decision: {
                decision_id: string;
                /** @enum {string} */
                state: "done" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        DecisionEffect: {
            /** @description The money that it moves, in all; null if none */
            amount_cents: number | null;
            lines: {
                from: string;
                to: string;
                amount_cents: number;
            }[];
            tells: {
                /** @enum {string} */
                who: "worker" | "agent";
                id: string;
                what: string;
            }[];
            changes: string[];
            /** @description How it can be undone; null if it can’t */
            undo: string | null;
        };
        DeclineDecisionInput: {
            reason: string;
        };
        DeclineDecisionResult: {
            /** @constant */
            state: "declined";
        };
        EndSessionResult: {
            /** @constant */
            ended: true;
        };
        GetDecisionResult: {
            decision: components["schemas"]["OperatorDecision"];
            /** @description Null if it no longer waits, or can’t be made now */
            effect: components["schemas"]["DecisionEffect"] | null;
        };
        ListDecisionsQuery: {
            /**
             * @default waiting
             * @enum {string}
             */
            state?: "waiting" | "all";
            subject?: string;
            cursor?: string;
            /** @default 50 */
            limit?: number;
        };
        ListDecisionsResult: {
            decisions: components["schemas"]["OperatorDecision"][];
            next_cursor: string | null;
        };
        ListLimitsResult: {
            limits: components["schemas"]["TwoPersonLimit"][];
        };
        MakeDecisionInput: {
            kind: string;
            subject: string;
            /** @default {} */
            input?: {
                [key: string]: unknown;
            };
            reason: string;
            /** @description A retry with the same key decides once */
            request_key: string;
        };
        MakeDecisionResult: {
            decision: {
                decision_id: string;
                /** @enum {string} */
                state: "done" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        OperatorDecision: {
            id: string;
            kind: string;
            title: string;
            /**
             * @description What a second operator needs
             * @enum {string}
             */
            right: "view" | "look" | "note" | "answer" | "rule" | "pay" | "switch" | "operate" | "staff";
            subject: string;
            amount_cents: number | null;
            input: {
                [key: string]: unknown;
            };
            reason: string;
            /** @enum {string} */
            state: "waiting" | "agreed" | "done" | "failed" | "declined" | "withdrawn" | "lapsed";
            needs_second: boolean;
            proposed_by: {
                id: string;
                name: string;
            };
            /** Format: date-time */
            proposed_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Who agreed or declined */
            second_by: {
                id: string;
                name: string;
            } | null;
            second_at: string | null;
            ended_at: string | null;
            /** @description What came of it, or `error`: why it failed */
            result: unknown;
            can_undo: boolean;
        };
        PreviewDecisionInput: {
            kind: string;
            subject: string;
            /** @default {} */
            input?: {
                [key: string]: unknown;
            };
        };
        PreviewDecisionResult: {
            effect: components["schemas"]["DecisionEffect"];
            /** @description A second operator must agree before it takes effect */
            needs_second: boolean;
            /** @description The limit; null if there is none */
            over_cents: number | null;
        };
        ShowSessionResult: {
            operator: {
                id: string;
                name: string;
                email: string;
                /** @enum {string} */
                role: "viewer" | "support" | "trust" | "finance" | "admin";
            };
            rights: ("view" | "look" | "note" | "answer" | "rule" | "pay" | "switch" | "operate" | "staff")[];
            idle_minutes: number;
        };
        TwoPersonLimit: {
            kind: string;
            title: string;
            /** @description 0: always two operators; null: never */
            over_cents: number | null;
            changed_by: {
                id: string;
                name: string;
            } | null;
            /** Format: date-time */
            changed_at: string;
        };
        UndoDecisionInput: {
            reason: string;
            request_key: string;
        };
        UndoDecisionResult: {
            decision: {
                decision_id: string;
                /** @enum {string} */
                state: "done" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        WithdrawDecisionInput: Record<string, unknown>;
        WithdrawDecisionResult: {
            /** @constant */
            state: "withdrawn";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
