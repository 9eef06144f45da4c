// Generated from openapi.json by npm run generate.

export interface paths {
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your tasks */
        get: operations["getTasks"];
        put?: never;
        /** Create a task */
        post: operations["postTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a task */
        get: operations["getTasksId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the proof of a task */
        get: operations["getTasksIdProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a task and pay its workers */
        post: operations["postTasksIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dispute a task and get its money back */
        post: operations["postTasksIdDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/dispute/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw a dispute and pay for the work */
        post: operations["postTasksIdDisputeWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/dispute/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer an appeal against your dispute */
        post: operations["postTasksIdDisputeAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/request-revision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a proof once more */
        post: operations["postTasksIdRequestRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a task */
        post: operations["postTasksIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay out a completed task */
        post: operations["postTasksIdPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a fact checked on the spot (500 cents, photo) */
        post: operations["postVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a telephone call made (1000 cents, text) */
        post: operations["postCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gut-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a first impression (300 cents, text) */
        post: operations["postGutCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/field": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send someone somewhere (1500 cents, photo) */
        post: operations["postField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/escalate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a person speak with a person (2000 cents, text, urgent) */
        post: operations["postEscalate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vibe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have the mood of a place, page or text read (800 cents, text) */
        post: operations["postVibe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your wallet */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay into your wallet */
        post: operations["postWalletDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your statistics */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what you spend by day and type */
        get: operations["getStatsSpend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask what a task costs and how long it takes */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an agent and get its API key */
        post: operations["postAgentsRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your API keys */
        get: operations["getAgentsKeys"];
        put?: never;
        /** Make another API key */
        post: operations["postAgentsKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an API key and all below it */
        delete: operations["deleteAgentsKeysId"];
        options?: never;
        head?: never;
        /** Change the name or the caps of an API key */
        patch: operations["patchAgentsKeysId"];
        trace?: never;
    };
    "/agents/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an API key a new secret */
        post: operations["postAgentsKeysIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your agent and your key */
        get: operations["getAgentsMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your agent, or show it */
        patch: operations["patchAgentsMe"];
        trace?: never;
    };
    "/agents/me/checklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what is left to do before you go live */
        get: operations["getAgentsMeChecklist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your refused and failed requests */
        get: operations["getRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a refused or failed request */
        get: operations["getRequestsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what has happened to your tasks */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an event once more */
        post: operations["postEventsIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the events of a span of time once more */
        post: operations["postEventsReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List attempts to send you events */
        get: operations["getWebhooksDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to your receiver */
        post: operations["postWebhooksPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a new webhook secret */
        post: operations["postWebhooksRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show who is signed in to the console */
        get: operations["getConsoleSession"];
        put?: never;
        /** Exchange an API key for a cookie */
        post: operations["postConsoleSession"];
        /** Sign out of the console with this browser */
        delete: operations["deleteConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a test key without an account */
        post: operations["postTestAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move the time of your test tasks */
        post: operations["postTestClockAdvance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the time of your test tasks */
        get: operations["getTestClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Be a worker of your own test tasks */
        post: operations["postTestWorkers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file of a proof */
        get: operations["getFilesId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Task: {
            id: string;
            agent_id: string;
            /** @enum {string} */
            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
            /** @enum {string} */
            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
            status_reason: string | null;
            description: string;
            budget_cents: number;
            /** @enum {string} */
            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
            /** @enum {string} */
            proof_required: "text" | "photo" | "video" | "audio";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            mode: "live" | "test";
            title: string | null;
            /** Format: date-time */
            deadline: string;
            context: Record<string, never>;
            consensus_count: number;
            consensus_max: number | null;
            min_confidence: number | null;
            callback_url: string | null;
            /** @enum {string} */
            budget_basis: "total" | "per_worker";
            escrow_cents: number;
            worker_pay_cents: number;
            skills: string[];
            location: (string | {
                address?: string;
                lat: number;
                lng: number;
                radius_m?: number;
            }) | null;
            answer_schema: ({
                /** @constant */
                type: "object";
                properties: Record<string, never>;
                required?: string[];
                description?: string;
            } | ({
                /** @constant */
                type: "boolean";
                description?: string;
            } | {
                /** @enum {string} */
                type?: "string" | "number" | "integer";
                enum: (string | number)[];
                description?: string;
            } | {
                /** @enum {string} */
                type: "number" | "integer";
                minimum?: number;
                maximum?: number;
                description?: string;
            } | {
                /** @constant */
                type: "string";
                minLength?: number;
                maxLength?: number;
                description?: string;
            })) | null;
            criteria: {
                id: string;
                text: string;
            }[] | null;
            min_worker_level: number;
            auto_approve_after: number;
            scheduled_at: string | null;
            window_minutes: number | null;
            metadata: Record<string, never> | null;
            /** @enum {string} */
            funding: "wallet" | "free";
        };
        Assignment: {
            id: string;
            worker_id: string;
            /** @enum {string} */
            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
            /** Format: date-time */
            accepted_at: string;
            /** Format: date-time */
            expires_at: string;
            submitted_at: string | null;
            outcome: ("done" | "not_possible") | null;
            net_cents: number | null;
        };
        Settlement: {
            gross_cents: number;
            commission_cents: number;
            refunded_cents: number;
            workers: {
                worker_id: string;
                net_cents: number;
            }[];
        };
        Dispute: {
            id: string;
            /** @enum {string} */
            status: "open" | "held" | "withdrawn" | "upheld" | "overturned" | "split";
            reason: string;
            category: string | null;
            criteria: string[];
            assignment_ids: string[];
            refunded_cents: number;
            debited_cents: number;
            /** Format: date-time */
            created_at: string;
            resolved_at: string | null;
            appeals: {
                id: string;
                assignment_id: string;
                statement: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                agent_until: string;
                agent_answer: string | null;
                ruling: ("upheld" | "overturned" | "split") | null;
                ruling_note: string | null;
                ruled_at: string | null;
                /** @constant */
                untrusted: true;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        "RateLimit-Policy": string;
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTasks: {
        parameters: {
            query?: {
                status?: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                type?: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                limit?: number;
                offset?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        }[];
                        total: number;
                        limit: number;
                        offset: number;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postTasks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description: string;
                    /** @enum {string} */
                    type?: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getTasksId: {
        parameters: {
            query?: {
                wait?: number;
                while?: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                            approved_by: ("agent" | "auto" | "operator") | null;
                            settlement: {
                                gross_cents: number;
                                commission_cents: number;
                                refunded_cents: number;
                                workers: {
                                    worker_id: string;
                                    net_cents: number;
                                }[];
                            } | null;
                            assignments: {
                                id: string;
                                worker_id: string;
                                /** @enum {string} */
                                status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                                /** Format: date-time */
                                accepted_at: string;
                                /** Format: date-time */
                                expires_at: string;
                                submitted_at: string | null;
                                outcome: ("done" | "not_possible") | null;
                                net_cents: number | null;
                            }[];
                            proofs: {
                                id: string;
                                assignment_id: string;
                                worker: {
                                    id: string;
                                    name: string;
                                    trust_score: number;
                                };
                                text: string | null;
                                answer: unknown;
                                /** @enum {string} */
                                outcome: "done" | "not_possible";
                                photos: string[];
                                media: {
                                    id: string;
                                    /** @enum {string} */
                                    kind: "photo" | "video" | "audio";
                                    content_type: string;
                                    bytes: number;
                                    url: string;
                                    /** Format: date-time */
                                    expires_at: string;
                                }[];
                                location: {
                                    lat: number;
                                    lng: number;
                                    accuracy_m?: number;
                                } | null;
                                captured_at: string | null;
                                /** Format: date-time */
                                submitted_at: string;
                                checks: {
                                    name: string;
                                    /** @enum {string} */
                                    result: "pass" | "warn" | "fail";
                                    note: string;
                                }[];
                                /** @constant */
                                untrusted: true;
                            }[];
                            transactions: {
                                id: string;
                                /** @enum {string} */
                                type: "deposit" | "escrow_lock" | "escrow_release" | "escrow_refund" | "free_task_credit" | "free_task_return" | "refund" | "chargeback" | "chargeback_reversal" | "appeal_debit" | "tip" | "adjustment";
                                amount_cents: number;
                                balance_after_cents: number;
                                task_id: string | null;
                                /** @enum {string} */
                                status: "posted" | "pending" | "failed" | "expired";
                                /** Format: date-time */
                                created_at: string;
                                description: string;
                            }[];
                            consensus?: {
                                needed: number;
                                received: number;
                                complete: boolean;
                                incomplete: boolean;
                                /** @enum {string} */
                                method: "weighted_majority" | "median" | "exact_text";
                                result: unknown;
                                confidence: number | null;
                                conflict: boolean;
                                resolved_by: ("agent" | "operator") | null;
                                votes: {
                                    assignment_id: string;
                                    worker_id: string;
                                    answer: unknown;
                                    weight: number;
                                }[];
                            };
                            dispute?: {
                                id: string;
                                /** @enum {string} */
                                status: "open" | "held" | "withdrawn" | "upheld" | "overturned" | "split";
                                reason: string;
                                category: string | null;
                                criteria: string[];
                                assignment_ids: string[];
                                refunded_cents: number;
                                debited_cents: number;
                                /** Format: date-time */
                                created_at: string;
                                resolved_at: string | null;
                                appeals: {
                                    id: string;
                                    assignment_id: string;
                                    statement: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    agent_until: string;
                                    agent_answer: string | null;
                                    ruling: ("upheld" | "overturned" | "split") | null;
                                    ruling_note: string | null;
                                    ruled_at: string | null;
                                    /** @constant */
                                    untrusted: true;
                                }[];
                            };
                            disputes?: {
                                id: string;
                                /** @enum {string} */
                                status: "open" | "held" | "withdrawn" | "upheld" | "overturned" | "split";
                                reason: string;
                                category: string | null;
                                criteria: string[];
                                assignment_ids: string[];
                                refunded_cents: number;
                                debited_cents: number;
                                /** Format: date-time */
                                created_at: string;
                                resolved_at: string | null;
                                appeals: {
                                    id: string;
                                    assignment_id: string;
                                    statement: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    agent_until: string;
                                    agent_answer: string | null;
                                    ruling: ("upheld" | "overturned" | "split") | null;
                                    ruling_note: string | null;
                                    ruled_at: string | null;
                                    /** @constant */
                                    untrusted: true;
                                }[];
                            }[];
                            timeline: {
                                /** Format: date-time */
                                at: string;
                                event: string;
                                worker_id?: string;
                                worker_name?: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getTasksIdProof: {
        parameters: {
            query?: {
                media?: "inline" | "url";
                max_px?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_id: string;
                        proofs: {
                            id: string;
                            assignment_id: string;
                            worker: {
                                id: string;
                                name: string;
                                trust_score: number;
                            };
                            text: string | null;
                            answer: unknown;
                            /** @enum {string} */
                            outcome: "done" | "not_possible";
                            photos: string[];
                            media: {
                                id: string;
                                /** @enum {string} */
                                kind: "photo" | "video" | "audio";
                                content_type: string;
                                bytes: number;
                                url: string;
                                /** Format: date-time */
                                expires_at: string;
                            }[];
                            location: {
                                lat: number;
                                lng: number;
                                accuracy_m?: number;
                            } | null;
                            captured_at: string | null;
                            /** Format: date-time */
                            submitted_at: string;
                            checks: {
                                name: string;
                                /** @enum {string} */
                                result: "pass" | "warn" | "fail";
                                note: string;
                            }[];
                            /** @constant */
                            untrusted: true;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdApprove: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    override_result?: unknown;
                    tip_cents?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        settlement: {
                            gross_cents: number;
                            commission_cents: number;
                            refunded_cents: number;
                            workers: {
                                worker_id: string;
                                net_cents: number;
                            }[];
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdDispute: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                    /** @enum {string} */
                    category?: "not_done" | "wrong_place" | "unreadable" | "spam" | "fake" | "other";
                    criteria?: string[];
                    assignment_ids?: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        refunded_cents: number;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdDisputeWithdraw: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    dispute_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        dispute: {
                            id: string;
                            /** @enum {string} */
                            status: "open" | "held" | "withdrawn" | "upheld" | "overturned" | "split";
                            reason: string;
                            category: string | null;
                            criteria: string[];
                            assignment_ids: string[];
                            refunded_cents: number;
                            debited_cents: number;
                            /** Format: date-time */
                            created_at: string;
                            resolved_at: string | null;
                            appeals: {
                                id: string;
                                assignment_id: string;
                                statement: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                agent_until: string;
                                agent_answer: string | null;
                                ruling: ("upheld" | "overturned" | "split") | null;
                                ruling_note: string | null;
                                ruled_at: string | null;
                                /** @constant */
                                untrusted: true;
                            }[];
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdDisputeAnswer: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    statement: string;
                    appeal_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dispute: {
                            id: string;
                            /** @enum {string} */
                            status: "open" | "held" | "withdrawn" | "upheld" | "overturned" | "split";
                            reason: string;
                            category: string | null;
                            criteria: string[];
                            assignment_ids: string[];
                            refunded_cents: number;
                            debited_cents: number;
                            /** Format: date-time */
                            created_at: string;
                            resolved_at: string | null;
                            appeals: {
                                id: string;
                                assignment_id: string;
                                statement: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                agent_until: string;
                                agent_answer: string | null;
                                ruling: ("upheld" | "overturned" | "split") | null;
                                ruling_note: string | null;
                                ruled_at: string | null;
                                /** @constant */
                                untrusted: true;
                            }[];
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdRequestRevision: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    note: string;
                    assignment_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdCancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        refunded_cents: number;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTasksIdPayout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payouts: {
                            id: string;
                            worker_id: string;
                            amount_cents: number;
                            /** @enum {string} */
                            status: "paid" | "pending" | "awaiting_account" | "awaiting_funds" | "held" | "failed";
                            available_at: string | null;
                            reason?: string;
                        }[];
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postVerify: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    question?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postCall: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    number?: string;
                    script?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postGutCheck: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    content?: string;
                    question?: string;
                    scale?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postField: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    mission?: string;
                    checklist?: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postEscalate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    situation?: string;
                    person?: {
                        name?: string;
                        contact?: string;
                        channel?: string;
                    };
                    goal?: string;
                    tone?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postVibe: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    budget_cents?: number;
                    /** @enum {string} */
                    urgency?: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                    /** @enum {string} */
                    proof_required?: "text" | "photo" | "video" | "audio";
                    deadline?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    consensus_count?: number;
                    consensus_max?: number;
                    min_confidence?: number;
                    /** Format: uri */
                    callback_url?: string;
                    title?: string;
                    skills?: string[];
                    location?: string | {
                        address?: string;
                        lat: number;
                        lng: number;
                        radius_m?: number;
                    };
                    answer_schema?: {
                        /** @constant */
                        type: "object";
                        properties: {
                            [key: string]: {
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            };
                        };
                        required?: string[];
                        description?: string;
                    } | ({
                        /** @constant */
                        type: "boolean";
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type?: "string" | "number" | "integer";
                        enum: (string | number)[];
                        description?: string;
                    } | {
                        /** @enum {string} */
                        type: "number" | "integer";
                        minimum?: number;
                        maximum?: number;
                        description?: string;
                    } | {
                        /** @constant */
                        type: "string";
                        minLength?: number;
                        maxLength?: number;
                        description?: string;
                    });
                    criteria?: {
                        id: string;
                        text: string;
                    }[];
                    min_worker_level?: number;
                    auto_approve_after?: number | string;
                    /** @enum {string} */
                    budget_basis?: "total" | "per_worker";
                    /** Format: date-time */
                    scheduled_at?: string;
                    window_minutes?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    description?: string;
                    /** @enum {string} */
                    proof?: "text" | "photo" | "video" | "audio";
                    consensus?: number;
                    /** Format: uri */
                    url?: string;
                    content?: string;
                    question?: string;
                    scale?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: {
                            id: string;
                            agent_id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            status_reason: string | null;
                            description: string;
                            budget_cents: number;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            title: string | null;
                            /** Format: date-time */
                            deadline: string;
                            context: {
                                [key: string]: unknown;
                            };
                            consensus_count: number;
                            consensus_max: number | null;
                            min_confidence: number | null;
                            callback_url: string | null;
                            /** @enum {string} */
                            budget_basis: "total" | "per_worker";
                            escrow_cents: number;
                            worker_pay_cents: number;
                            skills: string[];
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            answer_schema: ({
                                /** @constant */
                                type: "object";
                                properties: {
                                    [key: string]: {
                                        /** @constant */
                                        type: "boolean";
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type?: "string" | "number" | "integer";
                                        enum: (string | number)[];
                                        description?: string;
                                    } | {
                                        /** @enum {string} */
                                        type: "number" | "integer";
                                        minimum?: number;
                                        maximum?: number;
                                        description?: string;
                                    } | {
                                        /** @constant */
                                        type: "string";
                                        minLength?: number;
                                        maxLength?: number;
                                        description?: string;
                                    };
                                };
                                required?: string[];
                                description?: string;
                            } | ({
                                /** @constant */
                                type: "boolean";
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type?: "string" | "number" | "integer";
                                enum: (string | number)[];
                                description?: string;
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                minimum?: number;
                                maximum?: number;
                                description?: string;
                            } | {
                                /** @constant */
                                type: "string";
                                minLength?: number;
                                maxLength?: number;
                                description?: string;
                            })) | null;
                            criteria: {
                                id: string;
                                text: string;
                            }[] | null;
                            min_worker_level: number;
                            auto_approve_after: number;
                            scheduled_at: string | null;
                            window_minutes: number | null;
                            metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            funding: "wallet" | "free";
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance_cents: number;
                        balance_formatted: string;
                        free_tasks_remaining: number;
                        transactions: {
                            id: string;
                            /** @enum {string} */
                            type: "deposit" | "escrow_lock" | "escrow_release" | "escrow_refund" | "free_task_credit" | "free_task_return" | "refund" | "chargeback" | "chargeback_reversal" | "appeal_debit" | "tip" | "adjustment";
                            amount_cents: number;
                            balance_after_cents: number;
                            task_id: string | null;
                            /** @enum {string} */
                            status: "posted" | "pending" | "failed" | "expired";
                            /** Format: date-time */
                            created_at: string;
                            description: string;
                        }[];
                        summary: {
                            /** @enum {string} */
                            type: "deposit" | "escrow_lock" | "escrow_release" | "escrow_refund" | "free_task_credit" | "free_task_return" | "refund" | "chargeback" | "chargeback_reversal" | "appeal_debit" | "tip" | "adjustment";
                            total_cents: number;
                            count: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postWalletDeposit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount_cents: number;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        checkout_url: string;
                        session_id: string;
                        transaction_id: string;
                        amount_cents: number;
                        /** @enum {string} */
                        status: "posted" | "pending" | "failed" | "expired";
                        /** Format: date-time */
                        expires_at: string;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            total: number;
                            by_status: {
                                [key: string]: number;
                            };
                            by_type: {
                                [key: string]: number;
                            };
                        };
                        spend: {
                            total_cents: number;
                            by_type: {
                                /** @enum {string} */
                                type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                                total_cents: number;
                                count: number;
                            }[];
                        };
                        timing: {
                            p50_accept_s: number | null;
                            p90_accept_s: number | null;
                            p50_done_s: number | null;
                        };
                        quality: {
                            dispute_rate: number | null;
                            overturn_rate: number | null;
                            conflict_rate: number | null;
                            auto_approved_rate: number | null;
                        };
                        top_workers: {
                            id: string;
                            name: string;
                            completed: number;
                            trust_score: number;
                            level: number;
                        }[];
                        partner_count: number;
                    };
                };
            };
        };
    };
    getStatsSpend: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        days: {
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            spent_cents: number;
                            tasks: number;
                            /** Format: date */
                            day: string;
                        }[];
                        by_type: {
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            spent_cents: number;
                            tasks: number;
                        }[];
                        pace_cents_per_day: number;
                        days_left: number | null;
                    };
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query: {
                type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                where?: string;
                people?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                        budget_cents: {
                            low: number;
                            usual: number;
                            high: number;
                        };
                        people_near: number | null;
                        expected_minutes: number | null;
                        /** @enum {string} */
                        confidence: "high" | "medium" | "low" | "none";
                        says: string;
                    };
                };
            };
        };
    };
    postAgentsRegister: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** Format: email */
                    email: string;
                    /** Format: uri */
                    webhook_url?: string;
                    events?: ("task.proof_submitted" | "task.completed" | "task.disputed" | "task.consensus_proof" | "task.accepted" | "task.released" | "task.expired" | "task.cancelled" | "task.revision_requested" | "task.approval_due" | "task.appealed" | "task.dispute_resolved" | "payout.paid" | "deposit.succeeded")[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            api_key: string;
                            test_api_key?: string;
                            webhook_secret?: string;
                            balance_cents: number;
                            free_tasks_remaining: number;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getAgentsKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                        }[];
                    };
                };
            };
        };
    };
    postAgentsKeys: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes?: ("create" | "review" | "read" | "manage")[];
                    types?: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                    task_max_cents?: number | null;
                    day_max_cents?: number | null;
                    month_max_cents?: number | null;
                    budget_cents?: number | null;
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            api_key: string;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    deleteAgentsKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    patchAgentsKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    task_max_cents?: number | null;
                    day_max_cents?: number | null;
                    month_max_cents?: number | null;
                    budget_cents?: number | null;
                    name?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postAgentsKeysIdRotate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                            api_key: string;
                        };
                        /** Format: date-time */
                        old_expires_at: string;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getAgentsMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            email: string | null;
                            /** @enum {string} */
                            mode: "live" | "test";
                            webhook_url: string | null;
                            events: string[];
                            balance_cents: number;
                            escrow_cents: number;
                            free_tasks_remaining: number;
                            low_balance_cents: number | null;
                            /** @enum {string} */
                            status: "active" | "restricted" | "closed";
                            expires_at: string | null;
                            twin: {
                                exists: boolean;
                            };
                        };
                        key: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            prefix: string;
                            parent_id: string | null;
                            scopes: ("create" | "review" | "read" | "manage")[];
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            caps: {
                                task_max_cents: number | null;
                                day_max_cents: number | null;
                                month_max_cents: number | null;
                                budget_cents: number | null;
                            };
                            spent: {
                                day_cents: number;
                                month_cents: number;
                                total_cents: number;
                            } | null;
                            children: number;
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                            expires_at: string | null;
                        };
                    };
                };
            };
        };
    };
    patchAgentsMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    webhook_url?: string | null;
                    events?: ("task.proof_submitted" | "task.completed" | "task.disputed" | "task.consensus_proof" | "task.accepted" | "task.released" | "task.expired" | "task.cancelled" | "task.revision_requested" | "task.approval_due" | "task.appealed" | "task.dispute_resolved" | "payout.paid" | "deposit.succeeded")[];
                    low_balance_cents?: number | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            email: string | null;
                            /** @enum {string} */
                            mode: "live" | "test";
                            webhook_url: string | null;
                            events: string[];
                            low_balance_cents: number | null;
                            webhook: {
                                url: string;
                                /** @enum {string} */
                                status: "ok" | "failing" | "disabled";
                                failing_since: string | null;
                                disabled_at: string | null;
                                disabled_for: ("gone" | "failing") | null;
                                waiting: number;
                                next_try_at: string | null;
                            } | null;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getAgentsMeChecklist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @enum {string} */
                            id: "funds" | "webhook" | "signature" | "cap" | "dispute";
                            is_done: boolean;
                            says: string;
                        }[];
                        can_go_live: boolean;
                    };
                };
            };
        };
    };
    getRequests: {
        parameters: {
            query?: {
                status?: number;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requests: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            method: string;
                            path: string;
                            status: number;
                            code: string;
                            ms: number;
                            key_id: string;
                        }[];
                        total: number;
                        limit: number;
                        offset: number;
                    };
                };
            };
        };
    };
    getRequestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        request: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            method: string;
                            path: string;
                            status: number;
                            code: string;
                            ms: number;
                            key_id: string;
                            request_body: string | null;
                            response_body: string | null;
                            user_agent: string | null;
                        };
                    };
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                after?: string;
                before?: string;
                limit?: number;
                wait?: number;
                type?: "task.proof_submitted" | "task.completed" | "task.disputed" | "task.consensus_proof" | "task.accepted" | "task.released" | "task.expired" | "task.cancelled" | "task.revision_requested" | "task.approval_due" | "task.appealed" | "task.dispute_resolved" | "payout.paid" | "deposit.succeeded" | "webhook.ping";
                task_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            id: string;
                            /** @enum {string} */
                            type: "task.proof_submitted" | "task.completed" | "task.disputed" | "task.consensus_proof" | "task.accepted" | "task.released" | "task.expired" | "task.cancelled" | "task.revision_requested" | "task.approval_due" | "task.appealed" | "task.dispute_resolved" | "payout.paid" | "deposit.succeeded" | "webhook.ping";
                            /** Format: date-time */
                            created_at: string;
                            /** @constant */
                            api_version: "v1";
                            sequence: number | null;
                            data: {
                                [key: string]: unknown;
                            };
                        }[];
                        has_more: boolean;
                        next_after: string | null;
                        next_before?: string | null;
                    };
                };
            };
        };
    };
    postEventsIdRedeliver: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: {
                            event_id: string;
                            url: string;
                            /** Format: date-time */
                            next_try_at: string;
                        };
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postEventsReplay: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    from?: string;
                    after?: string;
                    /** Format: date-time */
                    to?: string;
                    types?: ("task.proof_submitted" | "task.completed" | "task.disputed" | "task.consensus_proof" | "task.accepted" | "task.released" | "task.expired" | "task.cancelled" | "task.revision_requested" | "task.approval_due" | "task.appealed" | "task.dispute_resolved" | "payout.paid" | "deposit.succeeded")[];
                    /**
                     * @default missed
                     * @enum {string}
                     */
                    only?: "missed" | "all";
                };
            };
        };
        responses: {
            202: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayed: number;
                        skipped: number;
                        has_more: boolean;
                        next_after: string | null;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getWebhooksDeliveries: {
        parameters: {
            query?: {
                event_id?: string;
                outcome?: "delivered" | "failed" | "given_up" | "disabled";
                before?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            id: string;
                            event_id: string;
                            type: string;
                            task_id: string | null;
                            url: string;
                            attempt: number;
                            /** @enum {string} */
                            outcome: "delivered" | "failed" | "given_up" | "disabled";
                            status: number | null;
                            error: string | null;
                            answer: string | null;
                            duration_ms: number;
                            /** Format: date-time */
                            created_at: string;
                            next_try_at: string | null;
                        }[];
                        next_before: string | null;
                        receivers: {
                            url: string;
                            /** @enum {string} */
                            status: "ok" | "failing" | "disabled";
                            failing_since: string | null;
                            disabled_at: string | null;
                            disabled_for: ("gone" | "failing") | null;
                            waiting: number;
                            next_try_at: string | null;
                        }[];
                    };
                };
            };
        };
    };
    postWebhooksPing: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    tampered?: true;
                    /** Format: uri */
                    url?: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        event_id: string;
                        url: string;
                        deliveries_url: string;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postWebhooksRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhook_secret: string;
                        previous_valid_until: string | null;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                        };
                        expires_at: string | null;
                    };
                };
            };
        };
    };
    postConsoleSession: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    api_key: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                        };
                        expires_at: string | null;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    deleteConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTestAgents: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: {
                            id: string;
                            name: string;
                            test_api_key: string;
                            webhook_secret: string;
                            balance_cents: number;
                            free_tasks_remaining: number;
                        };
                        /** Format: date-time */
                        expires_at: string;
                        claim_url: string;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    postTestClockAdvance: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    by: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        moved_s: number;
                        total_moved_s: number;
                        is_done: boolean;
                        fired: {
                            at_s: number;
                            what: string;
                            task_id: string | null;
                        }[];
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        moved_s: number;
                        next: {
                            in_s: number;
                            what: string;
                            task_id: string | null;
                        }[];
                    };
                };
            };
        };
    };
    postTestWorkers: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        worker: {
                            id: string;
                            name: string;
                        };
                        token: string;
                        /** Format: date-time */
                        expires_at: string;
                        app_url: string;
                        warnings?: {
                            /** @constant */
                            code: "unknown_field";
                            path: string;
                        }[];
                    };
                };
            };
        };
    };
    getFilesId: {
        parameters: {
            query: {
                expires: number;
                signature: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
}
