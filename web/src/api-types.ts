// Generated from openapi.json by npm run generate.

export interface paths {
    "/worker/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register as a worker */
        post: operations["postWorkerRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirm an e-mail by the token of a mailed link */
        get: operations["getWorkerVerify"];
        put?: never;
        /** Confirm an e-mail by the token of a mailed link */
        post: operations["postWorkerVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/verify/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the link that confirms an e-mail once more */
        post: operations["postWorkerVerifyResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in as a worker and get a token */
        post: operations["postWorkerLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a link to choose a new password */
        post: operations["postWorkerPasswordForgot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password by the token of a mailed link */
        post: operations["postWorkerPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Log out everywhere */
        delete: operations["deleteWorkerSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show who is logged in */
        get: operations["getWorkerSession"];
        put?: never;
        /** Log in as a worker and get a cookie */
        post: operations["postWorkerSession"];
        /** Log out with this browser */
        delete: operations["deleteWorkerSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/session/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a cookie for a worker of your own test agent */
        post: operations["postWorkerSessionPlay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what the app needs to know of this server */
        get: operations["getWorkerApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find tasks */
        get: operations["getWorkerFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/feed/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a task that you could take */
        get: operations["getWorkerFeedId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See some tasks before joining */
        get: operations["getWorkerPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your own tasks */
        get: operations["getWorkerTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one of your own tasks */
        get: operations["getWorkerTasksId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept a task */
        post: operations["postWorkerTasksIdAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit proof of a task */
        post: operations["postWorkerTasksIdProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin an upload for a proof */
        post: operations["postWorkerUploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** See how much of an upload has arrived */
        head: operations["headWorkerUploadsId"];
        /** Send a part of an upload, or the whole of it */
        patch: operations["patchWorkerUploadsId"];
        trace?: never;
    };
    "/worker/tasks/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hand a task back */
        post: operations["postWorkerTasksIdRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks/{id}/appeal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Appeal against a dispute of your work */
        post: operations["postWorkerTasksIdAppeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/tasks/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a task */
        post: operations["postWorkerTasksIdReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your profile */
        get: operations["getWorkerProfile"];
        /** Change your profile */
        put: operations["putWorkerProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what moved your trust */
        get: operations["getWorkerTrust"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/earnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your earnings */
        get: operations["getWorkerEarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/earnings/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what you were paid for */
        get: operations["getWorkerEarningsItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your payouts */
        get: operations["getWorkerPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your notices */
        get: operations["getWorkerNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/notices/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark notices as read */
        post: operations["postWorkerNoticesRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your devices that are notified */
        get: operations["getWorkerPush"];
        put?: never;
        /** Have notices pushed to this device */
        post: operations["postWorkerPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/push/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Have nothing more pushed to a device */
        delete: operations["deleteWorkerPushId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/push/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Push something to a device, to see that it arrives */
        post: operations["postWorkerPushIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/alert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your alert for new tasks */
        get: operations["getWorkerAlert"];
        /** Be told of new tasks */
        put: operations["putWorkerAlert"];
        post?: never;
        /** Be told of no new tasks any more */
        delete: operations["deleteWorkerAlert"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the leaderboard */
        get: operations["getWorkerLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/{id}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a worker */
        get: operations["getWorkerIdPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/stripe/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set up your payouts */
        post: operations["postWorkerStripeConnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/stripe/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open your payout dashboard */
        post: operations["postWorkerStripeDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/stripe/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how far your payouts are set up */
        get: operations["getWorkerStripeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worker/stripe/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have the processor asked again how far your payouts are set up */
        post: operations["postWorkerStripeRefresh"];
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
    postWorkerRegister: {
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
                    password: string;
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
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
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
    getWorkerVerify: {
        parameters: {
            query: {
                token: string;
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
                        };
                    };
                };
            };
        };
    };
    postWorkerVerify: {
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
                    token: string;
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
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
    postWorkerVerifyResend: {
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
                    /** Format: email */
                    email: string;
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
                        message: string;
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
    postWorkerLogin: {
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
                    email: string;
                    password: string;
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
                        };
                        token: string;
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
    postWorkerPasswordForgot: {
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
                    /** Format: email */
                    email: string;
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
                        message: string;
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
    postWorkerPasswordReset: {
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
                    token: string;
                    password: string;
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
                        message: string;
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
    deleteWorkerSessions: {
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
                        message: string;
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
    getWorkerSession: {
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
                        } | null;
                        expires_at: string | null;
                        is_waiting: boolean;
                    };
                };
            };
        };
    };
    postWorkerSession: {
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
                    email: string;
                    password: string;
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
                        };
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
    deleteWorkerSession: {
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
                        message: string;
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
    postWorkerSessionPlay: {
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
                    token: string;
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            mode: "live" | "test";
                            /** @enum {string} */
                            status: "unverified" | "active" | "suspended" | "closed";
                            email_verified: boolean;
                            level: number;
                            trust_score: number;
                            created_at: string;
                        };
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
    getWorkerApp: {
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
                        push_public_key: string | null;
                        tiles_url: string | null;
                    };
                };
            };
        };
    };
    getWorkerFeed: {
        parameters: {
            query?: {
                lat?: number;
                lng?: number;
                radius_km?: number;
                type?: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                min_pay_cents?: number;
                sort?: "match" | "nearest" | "pay" | "new";
                limit?: number;
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
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            title: string;
                            description: string;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            budget_cents: number;
                            you_earn_cents: number;
                            est_minutes: number;
                            /** Format: date-time */
                            deadline: string;
                            distance_km: number | null;
                            area: string | null;
                            near: {
                                lat: number;
                                lng: number;
                            } | null;
                            slots: {
                                needed: number;
                                free: number;
                            };
                            auto_approve_after: number;
                            agent: {
                                id: string;
                                name: string;
                                approval_rate: number | null;
                                overturn_rate: number | null;
                                median_review_s: number | null;
                            };
                            match: {
                                score: number;
                                reasons: string[];
                                because: ({
                                    /** @constant */
                                    code: "done_before";
                                    count: number;
                                } | {
                                    /** @constant */
                                    code: "skills";
                                    skills: string[];
                                } | {
                                    /** @constant */
                                    code: "near";
                                    distance_km: number;
                                } | {
                                    /** @constant */
                                    code: "pays_well";
                                } | {
                                    /** @constant */
                                    code: "ends_soon";
                                })[];
                            };
                            locked?: {
                                required_level: number;
                            };
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWorkerFeedId: {
        parameters: {
            query?: {
                lat?: number;
                lng?: number;
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
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            title: string;
                            description: string;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            budget_cents: number;
                            you_earn_cents: number;
                            est_minutes: number;
                            /** Format: date-time */
                            deadline: string;
                            distance_km: number | null;
                            area: string | null;
                            near: {
                                lat: number;
                                lng: number;
                            } | null;
                            slots: {
                                needed: number;
                                free: number;
                            };
                            auto_approve_after: number;
                            agent: {
                                id: string;
                                name: string;
                                approval_rate: number | null;
                                overturn_rate: number | null;
                                median_review_s: number | null;
                            };
                            match: {
                                score: number;
                                reasons: string[];
                                because: ({
                                    /** @constant */
                                    code: "done_before";
                                    count: number;
                                } | {
                                    /** @constant */
                                    code: "skills";
                                    skills: string[];
                                } | {
                                    /** @constant */
                                    code: "near";
                                    distance_km: number;
                                } | {
                                    /** @constant */
                                    code: "pays_well";
                                } | {
                                    /** @constant */
                                    code: "ends_soon";
                                })[];
                            };
                            locked?: {
                                required_level: number;
                            };
                            scheduled_at: string | null;
                            window_minutes: number | null;
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
                            /** Format: date-time */
                            finish_until: string;
                        };
                        assignment: {
                            id: string;
                            /** @enum {string} */
                            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                            pay_cents: number;
                            net_cents: number | null;
                            /** Format: date-time */
                            accepted_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            submitted_at: string | null;
                            ended_at: string | null;
                            auto_approve_at: string | null;
                            outcome: ("done" | "not_possible") | null;
                            reason: string | null;
                            revision_note: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    getWorkerPreview: {
        parameters: {
            query?: {
                lat?: number;
                lng?: number;
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
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            title: string;
                            you_earn_cents: number;
                            est_minutes: number;
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            distance_km: number | null;
                            area: string | null;
                            /** Format: date-time */
                            deadline: string;
                            agent: {
                                name: string;
                            };
                        }[];
                    };
                };
            };
        };
    };
    getWorkerTasks: {
        parameters: {
            query?: {
                status?: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                limit?: number;
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
                            task: {
                                id: string;
                                /** @enum {string} */
                                type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                                /** @enum {string} */
                                status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                                title: string | null;
                                description: string;
                                /** @enum {string} */
                                urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                                /** @enum {string} */
                                proof_required: "text" | "photo" | "video" | "audio";
                                budget_cents: number;
                                /** Format: date-time */
                                deadline: string;
                                scheduled_at: string | null;
                                window_minutes: number | null;
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
                                auto_approve_after: number;
                                consensus_count: number;
                                area: string | null;
                                location: (string | {
                                    address?: string;
                                    lat: number;
                                    lng: number;
                                    radius_m?: number;
                                }) | null;
                                context: {
                                    [key: string]: unknown;
                                } | null;
                            };
                            assignment: {
                                id: string;
                                /** @enum {string} */
                                status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                                pay_cents: number;
                                net_cents: number | null;
                                /** Format: date-time */
                                accepted_at: string;
                                /** Format: date-time */
                                expires_at: string;
                                submitted_at: string | null;
                                ended_at: string | null;
                                auto_approve_at: string | null;
                                outcome: ("done" | "not_possible") | null;
                                reason: string | null;
                                revision_note: string | null;
                            };
                            agent: {
                                id: string;
                                name: string;
                                approval_rate: number | null;
                                overturn_rate: number | null;
                                median_review_s: number | null;
                            };
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWorkerTasksId: {
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
                        task: {
                            id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            title: string | null;
                            description: string;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            budget_cents: number;
                            /** Format: date-time */
                            deadline: string;
                            scheduled_at: string | null;
                            window_minutes: number | null;
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
                            auto_approve_after: number;
                            consensus_count: number;
                            area: string | null;
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            context: {
                                [key: string]: unknown;
                            } | null;
                        };
                        assignment: {
                            id: string;
                            /** @enum {string} */
                            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                            pay_cents: number;
                            net_cents: number | null;
                            /** Format: date-time */
                            accepted_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            submitted_at: string | null;
                            ended_at: string | null;
                            auto_approve_at: string | null;
                            outcome: ("done" | "not_possible") | null;
                            reason: string | null;
                            revision_note: string | null;
                        };
                        agent: {
                            id: string;
                            name: string;
                            approval_rate: number | null;
                            overturn_rate: number | null;
                            median_review_s: number | null;
                        };
                        proofs: {
                            id: string;
                            assignment_id: string;
                            text: string | null;
                            answer: unknown;
                            /** @enum {string} */
                            outcome: "done" | "not_possible";
                            files: {
                                id: string;
                                kind: string;
                                bytes: number;
                                url: string;
                            }[];
                            /** Format: date-time */
                            submitted_at: string;
                        }[];
                        dispute: {
                            id: string;
                            /** @enum {string} */
                            status: "open" | "withdrawn" | "upheld" | "overturned" | "split";
                            reason: string;
                            category: string | null;
                            criteria: string[];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            appeal_until: string;
                            trust_points: number | null;
                            appeal: {
                                statement: string;
                                /** Format: date-time */
                                created_at: string;
                                agent_answer: string | null;
                                /** Format: date-time */
                                agent_until: string;
                                ruled_at: string | null;
                                ruling: ("upheld" | "overturned" | "split") | null;
                                ruling_note: string | null;
                            } | null;
                        } | null;
                    };
                };
            };
        };
    };
    postWorkerTasksIdAccept: {
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
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            title: string | null;
                            description: string;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            budget_cents: number;
                            /** Format: date-time */
                            deadline: string;
                            scheduled_at: string | null;
                            window_minutes: number | null;
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
                            auto_approve_after: number;
                            consensus_count: number;
                            area: string | null;
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            context: {
                                [key: string]: unknown;
                            } | null;
                        };
                        assignment: {
                            id: string;
                            /** @enum {string} */
                            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                            pay_cents: number;
                            net_cents: number | null;
                            /** Format: date-time */
                            accepted_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            submitted_at: string | null;
                            ended_at: string | null;
                            auto_approve_at: string | null;
                            outcome: ("done" | "not_possible") | null;
                            reason: string | null;
                            revision_note: string | null;
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
    postWorkerTasksIdProof: {
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
                    text?: string;
                    answer?: unknown;
                    photos?: string[];
                    photo?: string;
                    video?: string;
                    audio?: string;
                    location?: {
                        lat: number;
                        lng: number;
                        accuracy_m?: number;
                    };
                    /** Format: date-time */
                    captured_at?: string;
                    /**
                     * @default done
                     * @enum {string}
                     */
                    outcome?: "done" | "not_possible";
                    /** @enum {string} */
                    type?: "text" | "photo" | "video" | "audio";
                    content?: string;
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
                        proof: {
                            id: string;
                            assignment_id: string;
                            text: string | null;
                            answer: unknown;
                            /** @enum {string} */
                            outcome: "done" | "not_possible";
                            files: {
                                id: string;
                                kind: string;
                                bytes: number;
                            }[];
                            /** Format: date-time */
                            submitted_at: string;
                        };
                        task: {
                            id: string;
                            /** @enum {string} */
                            type: "verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom";
                            /** @enum {string} */
                            status: "pending" | "in_progress" | "proof_submitted" | "completed" | "disputed" | "expired" | "cancelled";
                            title: string | null;
                            description: string;
                            /** @enum {string} */
                            urgency: "instant" | "urgent" | "standard" | "flex" | "scheduled";
                            /** @enum {string} */
                            proof_required: "text" | "photo" | "video" | "audio";
                            budget_cents: number;
                            /** Format: date-time */
                            deadline: string;
                            scheduled_at: string | null;
                            window_minutes: number | null;
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
                            auto_approve_after: number;
                            consensus_count: number;
                            area: string | null;
                            location: (string | {
                                address?: string;
                                lat: number;
                                lng: number;
                                radius_m?: number;
                            }) | null;
                            context: {
                                [key: string]: unknown;
                            } | null;
                        };
                        assignment: {
                            id: string;
                            /** @enum {string} */
                            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                            pay_cents: number;
                            net_cents: number | null;
                            /** Format: date-time */
                            accepted_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            submitted_at: string | null;
                            ended_at: string | null;
                            auto_approve_at: string | null;
                            outcome: ("done" | "not_possible") | null;
                            reason: string | null;
                            revision_note: string | null;
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
    postWorkerUploads: {
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
                    task_id: string;
                    /** @enum {string} */
                    kind: "photo" | "video" | "audio";
                    content_type: string;
                    bytes: number;
                    sha256: string;
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
                        upload_id: string;
                        /** @enum {string} */
                        method: "PATCH" | "POST";
                        url: string;
                        headers: {
                            [key: string]: string;
                        };
                        fields?: {
                            [key: string]: string;
                        };
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
    headWorkerUploadsId: {
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
    patchWorkerUploadsId: {
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
                "application/offset+octet-stream": unknown;
            };
        };
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
    postWorkerTasksIdRelease: {
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
                    reason?: string;
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
                        assignment: {
                            id: string;
                            /** @enum {string} */
                            status: "accepted" | "submitted" | "approved" | "disputed" | "released" | "expired" | "cancelled";
                            pay_cents: number;
                            net_cents: number | null;
                            /** Format: date-time */
                            accepted_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            submitted_at: string | null;
                            ended_at: string | null;
                            auto_approve_at: string | null;
                            outcome: ("done" | "not_possible") | null;
                            reason: string | null;
                            revision_note: string | null;
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
    postWorkerTasksIdAppeal: {
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
                        dispute: {
                            id: string;
                            /** @enum {string} */
                            status: "open" | "withdrawn" | "upheld" | "overturned" | "split";
                            reason: string;
                            category: string | null;
                            criteria: string[];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            appeal_until: string;
                            trust_points: number | null;
                            appeal: {
                                statement: string;
                                /** Format: date-time */
                                created_at: string;
                                agent_answer: string | null;
                                /** Format: date-time */
                                agent_until: string;
                                ruled_at: string | null;
                                ruling: ("upheld" | "overturned" | "split") | null;
                                ruling_note: string | null;
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
    postWorkerTasksIdReport: {
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
                    /** @enum {string} */
                    kind: "illegal" | "abusive" | "dangerous" | "scam" | "other";
                    note?: string;
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
                        message: string;
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
    getWorkerProfile: {
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            skills: string[];
                            languages: string[];
                            location: {
                                label: string;
                                lat: number | null;
                                lng: number | null;
                                radius_km: number;
                            } | null;
                            preferences: {
                                types?: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[];
                                min_pay_cents?: number;
                                notify?: {
                                    new_task?: boolean;
                                    half_time?: boolean;
                                    paid?: boolean;
                                    disputed?: boolean;
                                    decided?: boolean;
                                    revision_requested?: boolean;
                                    cancelled?: boolean;
                                    payout_paid?: boolean;
                                    payout_failed?: boolean;
                                    quiet?: {
                                        from: string;
                                        to: string;
                                        tz: string;
                                    } | null;
                                    new_tasks_per_day?: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                muted_agents?: string[];
                                leaderboard?: boolean;
                            } & {
                                [key: string]: unknown;
                            };
                            trust_score: number;
                            level: number;
                            badges: ("email_verified" | "payout_ready" | "first_task" | "streak_7" | "fast_responder" | "field_pro" | "consensus_sage" | "spotless_50")[];
                            stats: {
                                completed: number;
                                disputed: number;
                                approval_rate: number | null;
                                avg_minutes: number | null;
                            };
                            /** @enum {string} */
                            payout_status: "not_connected" | "onboarding" | "pending_verification" | "active" | "restricted" | "rejected" | "closed";
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
        };
    };
    putWorkerProfile: {
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
                    skills?: string[];
                    languages?: string[];
                    location?: (string | {
                        label?: string;
                        lat?: number | null;
                        lng?: number | null;
                        radius_km?: number;
                    }) | null;
                    preferences?: {
                        types?: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                        min_pay_cents?: number | null;
                        notify?: ({
                            new_task?: boolean;
                            half_time?: boolean;
                            paid?: boolean;
                            disputed?: boolean;
                            decided?: boolean;
                            revision_requested?: boolean;
                            cancelled?: boolean;
                            payout_paid?: boolean;
                            payout_failed?: boolean;
                            quiet?: {
                                from: string;
                                to: string;
                                tz: string;
                            } | null;
                            new_tasks_per_day?: number;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        muted_agents?: string[] | null;
                        leaderboard?: boolean | null;
                    } & {
                        [key: string]: unknown;
                    };
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
                        worker: {
                            id: string;
                            name: string;
                            email: string;
                            skills: string[];
                            languages: string[];
                            location: {
                                label: string;
                                lat: number | null;
                                lng: number | null;
                                radius_km: number;
                            } | null;
                            preferences: {
                                types?: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[];
                                min_pay_cents?: number;
                                notify?: {
                                    new_task?: boolean;
                                    half_time?: boolean;
                                    paid?: boolean;
                                    disputed?: boolean;
                                    decided?: boolean;
                                    revision_requested?: boolean;
                                    cancelled?: boolean;
                                    payout_paid?: boolean;
                                    payout_failed?: boolean;
                                    quiet?: {
                                        from: string;
                                        to: string;
                                        tz: string;
                                    } | null;
                                    new_tasks_per_day?: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                muted_agents?: string[];
                                leaderboard?: boolean;
                            } & {
                                [key: string]: unknown;
                            };
                            trust_score: number;
                            level: number;
                            badges: ("email_verified" | "payout_ready" | "first_task" | "streak_7" | "fast_responder" | "field_pro" | "consensus_sage" | "spotless_50")[];
                            stats: {
                                completed: number;
                                disputed: number;
                                approval_rate: number | null;
                                avg_minutes: number | null;
                            };
                            /** @enum {string} */
                            payout_status: "not_connected" | "onboarding" | "pending_verification" | "active" | "restricted" | "rejected" | "closed";
                            /** Format: date-time */
                            created_at: string;
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
    getWorkerTrust: {
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
                        trust_score: number;
                        level: number;
                        next_level: {
                            level: number;
                            approved_needed: number;
                            trust_needed: number;
                            identity_needed: boolean;
                        } | null;
                        changes: {
                            /** Format: date-time */
                            at: string;
                            cause: string;
                            task_id: string | null;
                            weight: number;
                            points: number;
                            note: string;
                        }[];
                        levels: {
                            level: number;
                            approved: number;
                            trust: number;
                            identity: boolean;
                        }[];
                        never_counts: string[];
                    };
                };
            };
        };
    };
    getWorkerEarnings: {
        parameters: {
            query?: {
                period?: "day" | "week" | "month" | "year" | "all";
                from?: string;
                to?: string;
                tz?: string;
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
                        period: "day" | "week" | "month" | "year" | "all" | "custom";
                        /** Format: date */
                        from: string;
                        /** Format: date */
                        to: string;
                        tz: string;
                        gross_cents: number;
                        commission_cents: number;
                        net_cents: number;
                        tasks: number;
                        pending_cents: number;
                        held_cents: number;
                        available_cents: number;
                        in_transit_cents: number;
                        paid_out_cents: number;
                        worked_minutes: number;
                        effective_hourly_cents: number | null;
                        by_type: {
                            type: string;
                            tasks: number;
                            net_cents: number;
                        }[];
                        series: {
                            /** Format: date-time */
                            start: string;
                            label: string;
                            gross_cents: number;
                            commission_cents: number;
                            net_cents: number;
                            tasks: number;
                            pending_cents: number;
                        }[];
                    };
                };
            };
        };
    };
    getWorkerEarningsItems: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                tz?: string;
                task_id?: string;
                limit?: number;
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
                        items: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            /** @enum {string} */
                            kind: "approved" | "compensation" | "tip" | "goodwill";
                            task_id: string;
                            title: string;
                            type: string;
                            agent_name: string;
                            gross_cents: number;
                            commission_cents: number;
                            net_cents: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWorkerPayouts: {
        parameters: {
            query?: {
                task_id?: string;
                limit?: number;
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
                        payouts: {
                            id: string;
                            amount_cents: number;
                            /** @enum {string} */
                            status: "paid" | "pending" | "awaiting_account" | "awaiting_funds" | "held" | "failed";
                            available_at: string | null;
                            reason?: string;
                            /** @enum {string} */
                            reason_code?: "new_funds" | "free_task" | "promo_budget" | "review" | "payouts_stopped" | "no_account" | "awaiting_funds" | "account_changed" | "refused" | "taken_back";
                            task_id: string;
                            title: string;
                            /** Format: date-time */
                            created_at: string;
                            paid_at: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWorkerNotices: {
        parameters: {
            query?: {
                limit?: number;
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
                        notices: {
                            id: string;
                            /** @enum {string} */
                            kind: "new_task" | "half_time" | "paid" | "disputed" | "decided" | "revision_requested" | "cancelled" | "payout_paid" | "payout_failed";
                            task_id: string | null;
                            title: string | null;
                            agent_name: string | null;
                            amount_cents: number | null;
                            distance_km: number | null;
                            reason: string | null;
                            until: string | null;
                            /** Format: date-time */
                            at: string;
                            read_at: string | null;
                        }[];
                        unread: number;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postWorkerNoticesRead: {
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
                    up_to: string;
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
                        unread: number;
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
    getWorkerPush: {
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
                        public_key: string | null;
                        subscriptions: {
                            id: string;
                            label: string | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                    };
                };
            };
        };
    };
    postWorkerPush: {
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
                    /** Format: uri */
                    endpoint: string;
                    keys: {
                        p256dh: string;
                        auth: string;
                    };
                    label?: string;
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
                        subscription: {
                            id: string;
                            label: string | null;
                            /** Format: date-time */
                            created_at: string;
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
    deleteWorkerPushId: {
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
                        message: string;
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
    postWorkerPushIdTest: {
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
                        message: string;
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
    getWorkerAlert: {
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
                        alert: {
                            lat: number | null;
                            lng: number | null;
                            radius_km: number | null;
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            min_pay_cents: number | null;
                            /** Format: date-time */
                            created_at: string;
                        } | null;
                    };
                };
            };
        };
    };
    putWorkerAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    lat?: number | null;
                    lng?: number | null;
                    radius_km?: number | null;
                    types?: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                    min_pay_cents?: number | null;
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
                        alert: {
                            lat: number | null;
                            lng: number | null;
                            radius_km: number | null;
                            types: ("verification" | "voice_proxy" | "gut_check" | "field_mission" | "empathy_escalation" | "vibe_reader" | "custom")[] | null;
                            min_pay_cents: number | null;
                            /** Format: date-time */
                            created_at: string;
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
    deleteWorkerAlert: {
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
                        message: string;
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
    getWorkerLeaderboard: {
        parameters: {
            query?: {
                period?: "week" | "month" | "all";
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
                        period: "week" | "month" | "all";
                        entries: {
                            rank: number;
                            worker: {
                                id: string;
                                name: string;
                                level: number;
                            };
                            completed: number;
                            trust_score: number;
                        }[];
                        me: {
                            rank: number | null;
                            worker: {
                                id: string;
                                name: string;
                                level: number;
                            };
                            completed: number;
                            trust_score: number;
                        } | null;
                    };
                };
            };
        };
    };
    getWorkerIdPublic: {
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
                        worker: {
                            id: string;
                            name: string;
                            trust_score: number;
                            level: number;
                            badges: ("email_verified" | "payout_ready" | "first_task" | "streak_7" | "fast_responder" | "field_pro" | "consensus_sage" | "spotless_50")[];
                            completed: number;
                            /** Format: date-time */
                            member_since: string;
                        };
                    };
                };
            };
        };
    };
    postWorkerStripeConnect: {
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
                    country?: string;
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
                        account_id: string;
                        onboarding_url: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** @enum {string} */
                        status: "not_connected" | "onboarding" | "pending_verification" | "active" | "restricted" | "rejected" | "closed";
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
    postWorkerStripeDashboard: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
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
                        dashboard_url: string;
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
    getWorkerStripeStatus: {
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
                        connected: boolean;
                        account_id: string | null;
                        /** @enum {string} */
                        status: "not_connected" | "onboarding" | "pending_verification" | "active" | "restricted" | "rejected" | "closed";
                        transfers_enabled: boolean;
                        onboarding_required: boolean;
                        requirements_due: string[];
                    };
                };
            };
        };
    };
    postWorkerStripeRefresh: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
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
                        connected: boolean;
                        account_id: string | null;
                        /** @enum {string} */
                        status: "not_connected" | "onboarding" | "pending_verification" | "active" | "restricted" | "rejected" | "closed";
                        transfers_enabled: boolean;
                        onboarding_required: boolean;
                        requirements_due: string[];
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
}
