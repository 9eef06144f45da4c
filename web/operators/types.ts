// Generated from server/src/desk-operations.ts by npm run generate.

/** Every route, with what it takes and what it answers. */
export interface Routes {
  'POST /sign-in/begin': { query: undefined; body: undefined; answer: components['schemas']['BeginSignInResult'] }
  'POST /sign-in/finish': { query: undefined; body: components['schemas']['FinishSignInInput']; answer: components['schemas']['FinishSignInResult'] }
  'POST /sign-in/link': { query: undefined; body: components['schemas']['SignInByLinkInput']; answer: components['schemas']['SignInByLinkResult'] }
  'GET /sign-in/oidc': { query: undefined; body: undefined; answer: components['schemas']['BeginOidcResult'] }
  'GET /sign-in/oidc/return': { query: undefined; body: undefined; answer: components['schemas']['ReturnFromOidcResult'] }
  'POST /invitations/begin': { query: undefined; body: components['schemas']['BeginInvitationInput']; answer: components['schemas']['BeginInvitationResult'] }
  'POST /invitations/finish': { query: undefined; body: components['schemas']['FinishInvitationInput']; answer: components['schemas']['FinishInvitationResult'] }
  'GET /session': { query: undefined; body: undefined; answer: components['schemas']['ShowSessionResult'] }
  'DELETE /session': { query: undefined; body: undefined; answer: components['schemas']['EndSessionResult'] }
  'GET /sessions': { query: undefined; body: undefined; answer: components['schemas']['ListSessionsResult'] }
  'DELETE /sessions/{id}': { query: undefined; body: undefined; answer: components['schemas']['EndOtherSessionResult'] }
  'GET /passkeys': { query: undefined; body: undefined; answer: components['schemas']['ListPasskeysResult'] }
  'POST /passkeys/begin': { query: undefined; body: undefined; answer: components['schemas']['BeginPasskeyResult'] }
  'POST /passkeys/finish': { query: undefined; body: components['schemas']['FinishPasskeyInput']; answer: components['schemas']['FinishPasskeyResult'] }
  'DELETE /passkeys/{id}': { query: undefined; body: undefined; answer: components['schemas']['RemovePasskeyResult'] }
  'GET /operators': { query: undefined; body: undefined; answer: components['schemas']['ListOperatorsResult'] }
  'POST /operators': { query: undefined; body: components['schemas']['AddOperatorInput']; answer: components['schemas']['AddOperatorResult'] }
  'PUT /operators/{id}': { query: undefined; body: components['schemas']['ChangeOperatorInput']; answer: components['schemas']['ChangeOperatorResult'] }
  'POST /operators/{id}/link': { query: undefined; body: undefined; answer: components['schemas']['SendOperatorLinkResult'] }
  'DELETE /operators/{id}/passkeys': { query: undefined; body: undefined; answer: components['schemas']['RemovePasskeysOfOperatorResult'] }
  'GET /operators/{id}/sessions': { query: undefined; body: undefined; answer: components['schemas']['ListSessionsOfOperatorResult'] }
  'DELETE /operators/{id}/sessions': { query: undefined; body: undefined; answer: components['schemas']['EndSessionsOfOperatorResult'] }
  'GET /audit-log': { query: components['schemas']['ListAuditLogQuery']; body: undefined; answer: components['schemas']['ListAuditLogResult'] }
  'GET /audit-log/export': { query: undefined; body: undefined; answer: components['schemas']['ExportAuditLogResult'] }
  'POST /audit-log/verify': { query: undefined; body: components['schemas']['VerifyAuditLogInput']; answer: components['schemas']['VerifyAuditLogResult'] }
  'POST /decisions/preview': { query: undefined; body: components['schemas']['PreviewDecisionInput']; answer: components['schemas']['PreviewDecisionResult'] }
  'POST /decisions': { query: undefined; body: components['schemas']['MakeDecisionInput']; answer: components['schemas']['MakeDecisionResult'] }
  'GET /decisions': { query: components['schemas']['ListDecisionsQuery']; body: undefined; answer: components['schemas']['ListDecisionsResult'] }
  'GET /decisions/{id}': { query: undefined; body: undefined; answer: components['schemas']['GetDecisionResult'] }
  'POST /decisions/{id}/agree': { query: undefined; body: components['schemas']['AgreeToDecisionInput']; answer: components['schemas']['AgreeToDecisionResult'] }
  'POST /decisions/{id}/decline': { query: undefined; body: components['schemas']['DeclineDecisionInput']; answer: components['schemas']['DeclineDecisionResult'] }
  'POST /decisions/{id}/withdraw': { query: undefined; body: components['schemas']['WithdrawDecisionInput']; answer: components['schemas']['WithdrawDecisionResult'] }
  'POST /decisions/{id}/undo': { query: undefined; body: components['schemas']['UndoDecisionInput']; answer: components['schemas']['UndoDecisionResult'] }
  'GET /limits': { query: undefined; body: undefined; answer: components['schemas']['ListLimitsResult'] }
  'GET /queues': { query: undefined; body: undefined; answer: components['schemas']['ListQueuesResult'] }
  'GET /queues/{name}': { query: components['schemas']['GetQueueQuery']; body: undefined; answer: components['schemas']['GetQueueResult'] }
  'GET /objects/{id}': { query: undefined; body: undefined; answer: components['schemas']['GetObjectResult'] }
  'GET /questions/{id}': { query: undefined; body: undefined; answer: components['schemas']['ShowQuestionResult'] }
  'POST /questions/{id}/answer': { query: undefined; body: components['schemas']['AnswerQuestionInput']; answer: components['schemas']['AnswerQuestionResult'] }
  'POST /questions/{id}/close': { query: undefined; body: components['schemas']['CloseQuestionInput']; answer: components['schemas']['CloseQuestionResult'] }
  'GET /boards/{name}': { query: components['schemas']['ShowBoardQuery']; body: undefined; answer: components['schemas']['ShowBoardResult'] }
  'GET /boards/{name}/rows/{figure}': { query: components['schemas']['ListBoardRowsQuery']; body: undefined; answer: components['schemas']['ListBoardRowsResult'] }
  'GET /switches': { query: undefined; body: undefined; answer: components['schemas']['ListSwitchesResult'] }
  'GET /search': { query: components['schemas']['SearchQuery']; body: undefined; answer: components['schemas']['SearchResult'] }
  'POST /looks': { query: undefined; body: components['schemas']['LookInput']; answer: components['schemas']['LookResult'] }
  'POST /cases/{id}/notes': { query: undefined; body: components['schemas']['AddNoteInput']; answer: components['schemas']['AddNoteResult'] }
  'PUT /cases/{id}/assignment': { query: undefined; body: components['schemas']['AssignCaseInput']; answer: components['schemas']['AssignCaseResult'] }
  'DELETE /cases/{id}/assignment': { query: undefined; body: undefined; answer: components['schemas']['ReleaseCaseResult'] }
  'GET /colleagues': { query: undefined; body: undefined; answer: components['schemas']['ListColleaguesResult'] }
}

export interface components {
    schemas: {
        AddNoteInput: {
            text: string;
        };
        AddNoteResult: {
            note: components["schemas"]["CaseNote"];
        };
        AddOperatorInput: {
            /** Format: email */
            email: string;
            name: string;
            /**
             * @default viewer
             * @enum {string}
             */
            role?: "viewer" | "support" | "trust" | "finance" | "admin";
        };
        AddOperatorResult: {
            operator: components["schemas"]["DeskOperator"];
        };
        AgreeToDecisionInput: Record<string, unknown>;
        AgreeToDecisionResult: {
            decision: {
                decision_id: string;
                /**
                 * @description `agreed`: it is being carried out, and finishes automatically
                 * @enum {string}
                 */
                state: "done" | "agreed" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        AnswerQuestionInput: {
            text: string;
            /** @default false */
            closes?: boolean;
        };
        AnswerQuestionResult: {
            question: components["schemas"]["AnsweredQuestion"];
        };
        AnswerTemplate: {
            id: string;
            title: string;
            text: string;
            /** @enum {string} */
            language: "en" | "es" | "ar" | "pt-BR" | "fr" | "de";
        };
        AnsweredQuestion: {
            id: string;
            /** @enum {string} */
            status: "answered" | "closed";
            closes_at: string | null;
        };
        AssignCaseInput: {
            operator_id: string;
            /** @description For the next operator */
            words?: string;
            /** @description Who had it when the page was loaded; if somebody else has it now: 409 */
            from?: string | null;
        };
        AssignCaseResult: {
            assignment: components["schemas"]["CaseAssignment"];
        };
        AuditRow: {
            seq: number;
            at: string;
            operator: {
                id: string;
                name: string | null;
            };
            role: string;
            action: string;
            subject: string;
            detail: {
                [key: string]: unknown;
            };
            words: string | null;
            are_words_erased: boolean;
            hash: string;
        };
        BeginInvitationInput: {
            /** @description The part of the link after #token= */
            token: string;
        };
        BeginInvitationResult: {
            challenge_id: string;
            options: {
                [key: string]: unknown;
            };
            /**
             * @description `passkey`: for an operator who joined earlier
             * @enum {string}
             */
            purpose: "invitation" | "passkey";
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "support" | "trust" | "finance" | "admin";
            may: string[];
            has_company_account: boolean;
        };
        BeginOidcResult: Record<string, unknown>;
        BeginPasskeyResult: {
            challenge_id: string;
            options: {
                [key: string]: unknown;
            };
        };
        BeginSignInResult: {
            challenge_id: string;
            options: {
                [key: string]: unknown;
            };
            has_company_account: boolean;
        };
        BoardColumn: {
            name: string;
            /**
             * @description `share`: from 0 to 1; `yes`: a boolean; `id`: an object of ours
             * @enum {string}
             */
            as: "cents" | "count" | "seconds" | "share" | "text" | "time" | "id" | "yes";
        };
        BoardFigure: {
            name: string;
            title: string;
            /** @description Null if it can’t be measured, or if there is nothing to measure */
            value: number | null;
            /** @enum {string} */
            as: "cents" | "count" | "seconds" | "share";
            /** @description What the figure is, in one sentence */
            definition: string;
            /** @description The address below /desk of the rows behind it */
            link: string | null;
            /** @description Null: no value is better than another */
            state: ("ok" | "warn" | "bad") | null;
        };
        BoardTable: {
            title: string;
            definition: string;
            columns: components["schemas"]["BoardColumn"][];
            rows: (string | number | boolean | null)[][];
        };
        CaseAssignment: {
            operator: components["schemas"]["Colleague"];
            /** Format: date-time */
            since: string;
            handed_by: components["schemas"]["Colleague"] | null;
            /** @description What the previous operator wrote at the hand-over */
            words: string | null;
        };
        CaseNote: {
            id: string;
            operator: components["schemas"]["Colleague"];
            text: string;
            /** Format: date-time */
            at: string;
        };
        ChangeOperatorInput: {
            /** @enum {string} */
            role?: "viewer" | "support" | "trust" | "finance" | "admin";
            is_disabled?: boolean;
            reason?: string;
        };
        ChangeOperatorResult: {
            operator: components["schemas"]["DeskOperator"];
        };
        ChoiceField: {
            /** @description The field of `input` */
            name: string;
            label: string;
            /** @enum {string} */
            type: "text" | "cents" | "days" | "tasks" | "choice";
            options?: {
                value: string;
                label: string;
            }[];
            is_required: boolean;
        };
        CloseQuestionInput: {
            /** @enum {string} */
            reason: "duplicate" | "resolved" | "abusive";
        };
        CloseQuestionResult: {
            question: components["schemas"]["AnsweredQuestion"];
        };
        Colleague: {
            id: string;
            name: string;
        };
        DecisionChoice: {
            /** @description The key that chooses it */
            key: ("1" | "2" | "3" | "4") | null;
            label: string;
            kind: string;
            /** @description What to decide about; may differ from the page’s object */
            subject: string;
            /** @description Complete except for `fields` */
            input: {
                [key: string]: unknown;
            };
            is_danger: boolean;
            /** @enum {string} */
            right: "view" | "look" | "note" | "answer" | "rule" | "pay" | "switch" | "operate" | "staff";
            fields: components["schemas"]["ChoiceField"][];
            /** @description Reasons to start from, in the language of the person affected */
            templates: {
                id: string;
                title: string;
                text: string;
                language: string;
            }[];
            /** @description The reason is sent to the person affected */
            tells_person: boolean;
            undo: string | null;
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
        DeskMessage: {
            number: number;
            /** @enum {string} */
            author: "worker" | "agent" | "operator";
            /** @description The operator who answered */
            name: string | null;
            text: string;
            /** Format: date-time */
            at: string;
            attachments: {
                n: number;
                /** @constant */
                kind: "photo";
            }[];
        };
        DeskOperator: {
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "support" | "trust" | "finance" | "admin";
            /** @enum {string} */
            status: "invited" | "active" | "disabled";
            created_at: string;
            disabled_at: string | null;
            passkeys: number;
            has_company_account: boolean;
            sessions: number;
            seen_at: string | null;
        };
        DeskPasskey: {
            id: string;
            name: string;
            created_at: string;
            used_at: string | null;
        };
        DeskRole: {
            /** @enum {string} */
            role: "viewer" | "support" | "trust" | "finance" | "admin";
            may: string[];
        };
        DeskSession: {
            id: string;
            /** @enum {string} */
            how: "passkey" | "oidc" | "link";
            device: string;
            created_at: string;
            seen_at: string;
            is_own: boolean;
        };
        DeskSwitch: {
            /** @enum {string} */
            name: "free_tasks" | "payouts" | "refunds" | "withdrawals" | "registrations" | "tasks_verification" | "tasks_voice_proxy" | "tasks_gut_check" | "tasks_field_mission" | "tasks_empathy_escalation" | "tasks_vibe_reader" | "tasks_custom" | "read_only";
            is_on: boolean;
            /** @description Read-only mode stops something while it is on, all others while they are off */
            is_stopping: boolean;
            /** @description What it stops, as a noun phrase */
            stops: string;
            /** @description What goes on meanwhile */
            goes_on: string;
            /** @description Who turned it last; without an id, reconciliation or an operator of the shell; null: nobody */
            set_by: {
                id: string | null;
                name: string;
            } | null;
            reason: string | null;
            changed_at: string | null;
            /** @description Reconciliation turns it too */
            is_automatic: boolean;
        };
        EndOtherSessionResult: {
            /** @constant */
            ended: true;
        };
        EndSessionResult: {
            /** @constant */
            ended: true;
        };
        EndSessionsOfOperatorResult: {
            /** @constant */
            ended: true;
        };
        ExportAuditLogResult: Record<string, unknown>;
        FinishInvitationInput: {
            /** @description The part of the link after #token= */
            token: string;
            challenge_id: string;
            passkey: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                /** @default {} */
                clientExtensionResults?: {
                    [key: string]: unknown;
                };
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    transports?: string[];
                };
            };
        };
        FinishInvitationResult: {
            /** @constant */
            signed_in: true;
        };
        FinishPasskeyInput: {
            challenge_id: string;
            passkey: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                /** @default {} */
                clientExtensionResults?: {
                    [key: string]: unknown;
                };
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    transports?: string[];
                };
            };
            name?: string;
        };
        FinishPasskeyResult: {
            id: string;
        };
        FinishSignInInput: {
            challenge_id: string;
            passkey: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                /** @default {} */
                clientExtensionResults?: {
                    [key: string]: unknown;
                };
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string;
                };
            };
        };
        FinishSignInResult: {
            /** @constant */
            signed_in: true;
        };
        GetDecisionResult: {
            decision: components["schemas"]["OperatorDecision"];
            /** @description Null if it no longer waits, or can’t be made now */
            effect: components["schemas"]["DecisionEffect"] | null;
        };
        GetObjectResult: {
            object: components["schemas"]["ObjectPage"];
        };
        GetQueueQuery: {
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /**
             * @description Only cases that the operator has taken
             * @enum {string}
             */
            mine?: "true" | "false";
        };
        GetQueueResult: {
            queue: components["schemas"]["QueueSummary"];
            rows: components["schemas"]["QueueRow"][];
            next_cursor: string | null;
        };
        ListAuditLogQuery: {
            subject?: string;
            operator?: string;
            action?: string;
            cursor?: number;
            /** @default 50 */
            limit?: number;
        };
        ListAuditLogResult: {
            rows: components["schemas"]["AuditRow"][];
            next_cursor: number | null;
        };
        ListBoardRowsQuery: {
            /**
             * @default day
             * @enum {string}
             */
            window?: "day" | "week";
            cursor?: string;
            /** @default 50 */
            limit?: number;
        };
        ListBoardRowsResult: {
            title: string;
            definition: string;
            /** @description How the rows make up the figure: their number, or this column of them */
            makes: {
                /** @enum {string} */
                by: "count" | "sum" | "share" | "p50" | "p95";
                column: number | null;
            };
            columns: components["schemas"]["BoardColumn"][];
            rows: {
                /** Format: date-time */
                at: string;
                cells: (string | number | boolean | null)[];
            }[];
            next_cursor: string | null;
        };
        ListColleaguesResult: {
            operators: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "viewer" | "support" | "trust" | "finance" | "admin";
            }[];
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
        ListOperatorsResult: {
            operators: components["schemas"]["DeskOperator"][];
            roles: components["schemas"]["DeskRole"][];
        };
        ListPasskeysResult: {
            passkeys: components["schemas"]["DeskPasskey"][];
        };
        ListQueuesResult: {
            /** Format: date-time */
            at: string;
            queues: components["schemas"]["QueueSummary"][];
        };
        ListSessionsOfOperatorResult: {
            sessions: components["schemas"]["DeskSession"][];
        };
        ListSessionsResult: {
            sessions: components["schemas"]["DeskSession"][];
        };
        ListSwitchesResult: {
            /** Format: date-time */
            at: string;
            switches: components["schemas"]["DeskSwitch"][];
        };
        LookInput: {
            /** @description The id of an object page */
            subject: string;
            /** @enum {string} */
            what: "email" | "phone" | "place" | "proof" | "attachment" | "contact";
            reason: string;
        };
        LookResult: {
            look: {
                /** @enum {string} */
                what: "email" | "phone" | "place" | "proof" | "attachment" | "contact";
                value: string | {
                    address: string | null;
                    lat: number;
                    lng: number;
                } | {
                    media: {
                        n: number;
                        kind: string;
                        content_type: string;
                        url: string;
                        /** Format: date-time */
                        expires_at: string;
                    }[];
                };
            };
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
                /**
                 * @description `agreed`: it is being carried out, and finishes automatically
                 * @enum {string}
                 */
                state: "done" | "agreed" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        ObjectPage: {
            id: string;
            /** @enum {string} */
            kind: "task" | "worker" | "agent" | "payout" | "deposit" | "dispute" | "appeal" | "question" | "decision" | "refund" | "break" | "receiver" | "job" | "notification" | "attempt" | "switch" | "chargeback" | "withdrawal" | "event" | "crossing" | "operator" | "no_contact";
            title: string;
            status: string;
            mode: ("live" | "test") | null;
            /** Format: date-time */
            at: string;
            facts: {
                name: string;
                value: string | number | boolean | null;
                /** @enum {string} */
                as: "text" | "money" | "time" | "id" | "masked";
                /**
                 * @description What a look would show in full
                 * @enum {string}
                 */
                look?: "email" | "phone" | "place" | "proof" | "attachment" | "contact";
            }[];
            waits: {
                what: string;
                until: string | null;
                queue: string | null;
            }[];
            text: {
                label: string;
                /** @enum {string} */
                by: "agent" | "worker" | "operator";
                text: string;
            }[];
            proofs: {
                id: string;
                worker_id: string;
                outcome: string;
                /** Format: date-time */
                submitted_at: string;
                checks: {
                    name: string;
                    result: string;
                    note: string | null;
                }[];
                media: {
                    n: number;
                    kind: string;
                }[];
            }[];
            timeline: {
                /** Format: date-time */
                at: string;
                what: string;
                who: string | null;
                id: string | null;
            }[];
            /** @description Ledger lines of this object, newest first */
            money: {
                /** Format: date-time */
                at: string;
                type: string;
                key: string;
                from: string;
                to: string;
                amount_cents: number;
            }[];
            trust: {
                /** Format: date-time */
                at: string;
                cause: string;
                delta: number;
                task_id: string | null;
            }[];
            access: {
                /** @enum {string} */
                kind: "key" | "session";
                id: string;
                name: string;
                /** Format: date-time */
                created_at: string;
                last_used_at: string | null;
                ended_at: string | null;
            }[];
            linked: {
                /** @enum {string} */
                how: "inbox" | "payout account" | "bank account" | "device" | "network address" | "photo" | "card";
                id: string;
                /** @enum {string} */
                kind: "task" | "worker" | "agent" | "payout" | "deposit" | "dispute" | "appeal" | "question" | "decision" | "refund" | "break" | "receiver" | "job" | "notification" | "attempt" | "switch" | "chargeback" | "withdrawal" | "event" | "crossing" | "operator" | "no_contact";
                name: string;
            }[];
            related: {
                id: string;
                /** @enum {string} */
                kind: "task" | "worker" | "agent" | "payout" | "deposit" | "dispute" | "appeal" | "question" | "decision" | "refund" | "break" | "receiver" | "job" | "notification" | "attempt" | "switch" | "chargeback" | "withdrawal" | "event" | "crossing" | "operator" | "no_contact";
                title: string;
            }[];
            thread: {
                number: number;
                /** @enum {string} */
                author: "worker" | "agent" | "operator";
                name: string | null;
                text: string;
                /** Format: date-time */
                at: string;
                attachments: {
                    n: number;
                    kind: string;
                }[];
            }[] | null;
            notes: components["schemas"]["CaseNote"][];
            assignment: components["schemas"]["CaseAssignment"] | null;
            decisions: {
                id: string;
                kind: string;
                title: string;
                state: string;
                proposed_by: components["schemas"]["Colleague"];
                second_by: components["schemas"]["Colleague"] | null;
                reason: string;
                /** Format: date-time */
                at: string;
                amount_cents: number | null;
            }[];
            choices: components["schemas"]["DecisionChoice"][];
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
        QueueRow: {
            /** @description The subject: the id of its object page */
            id: string;
            kind: string;
            title: string;
            amount_cents: number | null;
            since: string | null;
            due_at: string | null;
            assigned: components["schemas"]["Colleague"] | null;
            facts: string[];
        };
        QueueSummary: {
            name: string;
            title: string;
            /** @enum {string} */
            group: "disputes" | "people" | "money" | "desk" | "health";
            /**
             * @description What a role needs to decide here
             * @enum {string}
             */
            right: "view" | "look" | "note" | "answer" | "rule" | "pay" | "switch" | "operate" | "staff";
            /** @description Exact up to 500 */
            count: number;
            /** @description There are more than `count` */
            is_more: boolean;
            overdue: number;
            oldest_at: string | null;
            next_due_at: string | null;
            /** @description What happens when nobody decides */
            clock: string;
        };
        ReleaseCaseResult: {
            assignment: null;
        };
        RemovePasskeyResult: {
            /** @constant */
            removed: true;
        };
        RemovePasskeysOfOperatorResult: {
            removed: number;
        };
        ReturnFromOidcResult: Record<string, unknown>;
        SearchQuery: {
            q: string;
        };
        SearchResult: {
            hits: {
                /** @description Of an object page, or of an operator */
                id: string;
                kind: string;
                title: string;
                /** @description What matched, such as `email` or `photo hash` */
                why: string;
            }[];
            /** @description If nothing was found: what to try instead */
            hint: string | null;
        };
        SendOperatorLinkResult: {
            /** @enum {string} */
            purpose: "invitation" | "passkey";
        };
        ShowBoardQuery: {
            /**
             * @default day
             * @enum {string}
             */
            window?: "day" | "week";
        };
        ShowBoardResult: {
            /** @enum {string} */
            name: "money" | "marketplace" | "health";
            title: string;
            /**
             * Format: date-time
             * @description When the figures were read
             */
            at: string;
            /** @description Null if the board has no windows */
            window: ("day" | "week") | null;
            window_words: string | null;
            figures: components["schemas"]["BoardFigure"][];
            tables: components["schemas"]["BoardTable"][];
        };
        ShowQuestionResult: {
            question: {
                id: string;
                subject: string;
                /** @enum {string} */
                status: "open" | "answered" | "closed";
                asker: {
                    /** @enum {string} */
                    kind: "worker" | "agent";
                    id: string;
                };
                /** @enum {string} */
                language: "en" | "es" | "ar" | "pt-BR" | "fr" | "de";
                task_id: string | null;
                due_at: string | null;
                closes_at: string | null;
                messages: components["schemas"]["DeskMessage"][];
            };
            templates: components["schemas"]["AnswerTemplate"][];
            closings: {
                /** @enum {string} */
                reason: "duplicate" | "resolved" | "abusive";
                text: string;
            }[];
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
        SignInByLinkInput: {
            /** @description The part of the link after #token= */
            token: string;
        };
        SignInByLinkResult: {
            /** @constant */
            signed_in: true;
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
                /**
                 * @description `agreed`: it is being carried out, and finishes automatically
                 * @enum {string}
                 */
                state: "done" | "agreed" | "waiting";
                /** @description If it waits: until when somebody can agree */
                expires_at: string | null;
                /** @description If it is done: what came of it */
                result: unknown;
            };
        };
        VerifyAuditLogInput: {
            /** @description A head from the nightly log line, to see if rows after it were deleted */
            head?: {
                seq: number;
                hash: string;
            };
        };
        VerifyAuditLogResult: {
            rows: number;
            head: {
                seq: number;
                hash: string;
            } | null;
            first_wrong: {
                seq: number;
                problem: string;
            } | null;
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
