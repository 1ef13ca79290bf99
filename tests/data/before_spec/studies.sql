BEGIN TRANSACTION;
CREATE TABLE assignments (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL,
        rater_id TEXT NOT NULL,
        item_id TEXT NOT NULL,
        position INTEGER NOT NULL CHECK (position >= 1),
        UNIQUE (rater_id, item_id),
        UNIQUE (rater_id, position),
        UNIQUE (id, rater_id, study_id),
        FOREIGN KEY (rater_id, study_id) REFERENCES raters (id, study_id) ON DELETE CASCADE,
        FOREIGN KEY (item_id, study_id) REFERENCES items (id, study_id) ON DELETE CASCADE
    );
INSERT INTO "assignments" VALUES('50e3cb35163362e8','fc61e35b2c4a72c6','b754251434a2a133','cdd298c106c295fe',1);
INSERT INTO "assignments" VALUES('bc1752847fed60e1','fc61e35b2c4a72c6','8a7156915f7036ea','22b3ba3655f439a0',1);
INSERT INTO "assignments" VALUES('f158c3b91ac0b12f','fc61e35b2c4a72c6','56ebadd3639de55d','fc9182c15420b439',1);
INSERT INTO "assignments" VALUES('b9ddb8f51a3d4ada','fc61e35b2c4a72c6','56ebadd3639de55d','76c6920f43c98128',2);
CREATE TABLE corrections (
        assignment_id TEXT NOT NULL REFERENCES ratings (assignment_id) ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        label TEXT NOT NULL,
        score INTEGER NOT NULL CHECK (score IN (0, 1, 2, 3, 4)),
        seconds DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
        rated_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (assignment_id, revision)
    );
CREATE TABLE events (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        rater_id TEXT,
        at DOUBLE PRECISION NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        FOREIGN KEY (rater_id, study_id) REFERENCES raters (id, study_id) ON DELETE CASCADE
    );
INSERT INTO "events" VALUES('9e797add9bac621f','fc61e35b2c4a72c6',NULL,1.79503292501537871361e+09,'created','');
INSERT INTO "events" VALUES('8a9d58aae37b9ff4','fc61e35b2c4a72c6','b754251434a2a133',1.79503292505036473269e+09,'link','');
INSERT INTO "events" VALUES('44f29f8a483d9843','fc61e35b2c4a72c6','8a7156915f7036ea',1.79503292505855393404e+09,'link','');
INSERT INTO "events" VALUES('15b53563d5096f3d','fc61e35b2c4a72c6','56ebadd3639de55d',1.79503292507364606853e+09,'link','');
INSERT INTO "events" VALUES('8f419254d1402b44','fc61e35b2c4a72c6','b754251434a2a133',1795032925.08569,'consent','');
INSERT INTO "events" VALUES('1d8856cc91f57821','fc61e35b2c4a72c6','8a7156915f7036ea',1.79503292518325042719e+09,'consent','');
INSERT INTO "events" VALUES('04450aed082ae604','fc61e35b2c4a72c6','56ebadd3639de55d',1.79503292522760081288e+09,'consent','');
CREATE TABLE items (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('adversarial', 'original', 'check', 'practice')),
        text TEXT NOT NULL CHECK (text <> ''),
        context TEXT NOT NULL,
        source TEXT NOT NULL,
        method TEXT NOT NULL,
        victim TEXT NOT NULL,
        label TEXT NOT NULL,
        score INTEGER CHECK (score IN (0, 1, 2, 3, 4)),
        feedback TEXT NOT NULL,
        trace TEXT NOT NULL,
        UNIQUE (study_id, number),
        UNIQUE (id, study_id),
        FOREIGN KEY (study_id, label) REFERENCES labels (study_id, name)
    );
INSERT INTO "items" VALUES('22b3ba3655f439a0','fc61e35b2c4a72c6',1,'adversarial','A charming and often very odd film, with a slick script and a tepid, plain ending.','','b5bf062471','ls','toy','positive',NULL,'','text=A+charming+and+often+very+funny+film%2C+with+a+smart+script+and+a+warm%2C+honest+ending.&victim=toy&search=ls&seed=0&label=positive&target=negative&edits=%7B%22lock%22%3A%5B1%5D%7D&search_option=exchange%3Dany&constraint=stop-words&words=toy&budget=500&limit=40&hard=true');
INSERT INTO "items" VALUES('76c6920f43c98128','fc61e35b2c4a72c6',2,'original','A charming and often very funny film, with a smart script and a warm, honest ending.','','b5bf062471','','','positive',NULL,'','');
INSERT INTO "items" VALUES('fc9182c15420b439','fc61e35b2c4a72c6',3,'adversarial','The cinema insults the intelligence of its audience and then has the nerve to lecture them.','','260a57a611','pso, synonym','bilstm-sst2','negative',NULL,'','text=The+film+insults+the+intelligence+of+its+audience+and+then+has+the+nerve+to+lecture+them.&victim=bilstm-sst2&search=pso&seed=0&label=negative&words=synonym&budget=2000&limit=25');
INSERT INTO "items" VALUES('cdd298c106c295fe','fc61e35b2c4a72c6',4,'adversarial','The film affronts the intelligence of its audience and then has the nerve to lecture them.','','260a57a611','ga, synonym','bilstm-sst2','negative',NULL,'','text=The+film+insults+the+intelligence+of+its+audience+and+then+has+the+nerve+to+lecture+them.&victim=bilstm-sst2&search=ga&seed=0&label=negative&words=synonym&budget=2000&limit=25');
CREATE TABLE labels (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        name TEXT NOT NULL CHECK (name <> ''),
        position INTEGER NOT NULL,
        PRIMARY KEY (study_id, name),
        UNIQUE (study_id, position)
    );
INSERT INTO "labels" VALUES('fc61e35b2c4a72c6','negative',0);
INSERT INTO "labels" VALUES('fc61e35b2c4a72c6','positive',1);
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'m001_first');
INSERT INTO "migrations" VALUES(2,'m002_open_links');
CREATE TABLE organiser (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        passphrase TEXT,
        failures INTEGER NOT NULL CHECK (failures >= 0),
        locked_until DOUBLE PRECISION NOT NULL
    );
INSERT INTO "organiser" VALUES(1,NULL,0,0.0);
CREATE TABLE raters (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        token_hash TEXT UNIQUE,
        code TEXT NOT NULL,
        consented_at DOUBLE PRECISION,
        ready_at DOUBLE PRECISION,
        seen_at DOUBLE PRECISION,
        excluded TEXT NOT NULL,
        UNIQUE (study_id, number),
        UNIQUE (id, study_id),
        CHECK (ready_at IS NULL OR consented_at IS NOT NULL)
    );
INSERT INTO "raters" VALUES('b754251434a2a133','fc61e35b2c4a72c6',1,'Rater 1','bd9c94abaeb34e3b1eb63324770c105f12c37f6b97c7afb2a89168b7027748fd','FC08C845',1.79503292508566188808e+09,1.79503292511077308657e+09,1.79503292514367318154e+09,'');
INSERT INTO "raters" VALUES('8a7156915f7036ea','fc61e35b2c4a72c6',2,'Rater 2','a1c0b370ad4975f4ec62317031ca8cf2267ff65203b73573babd4e835fa10b4a','6A97535A',1.79503292518322205536e+09,1.79503292519334292417e+09,1.79503292521028661723e+09,'');
INSERT INTO "raters" VALUES('56ebadd3639de55d','fc61e35b2c4a72c6',3,'Rater 3','956d26e6211f180cd5d9c7939205832756fe9f3c2820ce2101c0b943fa38cf13','21E30F5F',1.79503292522757124894e+09,1.79503292523413538936e+09,1.79503292524671840667e+09,'');
CREATE TABLE ratings (
        assignment_id TEXT PRIMARY KEY,
        rater_id TEXT NOT NULL,
        study_id TEXT NOT NULL,
        label TEXT NOT NULL,
        score INTEGER NOT NULL CHECK (score IN (0, 1, 2, 3, 4)),
        seconds DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
        rated_at DOUBLE PRECISION NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 0),
        FOREIGN KEY (assignment_id, rater_id, study_id)
            REFERENCES assignments (id, rater_id, study_id) ON DELETE CASCADE,
        FOREIGN KEY (study_id, label) REFERENCES labels (study_id, name)
    );
INSERT INTO "ratings" VALUES('50e3cb35163362e8','b754251434a2a133','fc61e35b2c4a72c6','positive',3,5.0,1.79503292514367318154e+09,0);
INSERT INTO "ratings" VALUES('bc1752847fed60e1','8a7156915f7036ea','fc61e35b2c4a72c6','positive',3,5.0,1.79503292521028661723e+09,0);
INSERT INTO "ratings" VALUES('f158c3b91ac0b12f','56ebadd3639de55d','fc61e35b2c4a72c6','positive',3,5.0,1.79503292523688960072e+09,0);
INSERT INTO "ratings" VALUES('b9ddb8f51a3d4ada','56ebadd3639de55d','fc61e35b2c4a72c6','positive',3,5.0,1.79503292524671840667e+09,0);
CREATE TABLE studies (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
        wording TEXT NOT NULL,
        design TEXT NOT NULL,
        simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
        created_at DOUBLE PRECISION NOT NULL,
        closes_at DOUBLE PRECISION
    , open_hash TEXT, open_places INTEGER NOT NULL DEFAULT 0);
INSERT INTO "studies" VALUES('fc61e35b2c4a72c6','Before the spec','open','{"title": "Rating short texts", "consent": "You are asked to read short texts and to answer two questions about each. Your answers are stored without your name and may be published. Taking part is voluntary, and you can stop at any time by closing this page.", "instructions": "Read each text once, at your normal speed, and answer by your first impression. Some texts were written by people, others were changed by a program. There are no trick questions, and you can go back to correct an answer.", "label_question": "What does the text express?", "score_question": "Who wrote it?", "scale": ["Machine-generated", "More like machine-generated", "Not sure", "More like human-written", "Human-written"]}','{"per_item": 1, "raters": 3, "seed": 1, "gap": null}',0,1.79503292494754743578e+09,NULL,NULL,0);
CREATE INDEX assignments_item ON assignments (item_id);
CREATE INDEX ratings_study ON ratings (study_id);
CREATE INDEX events_study ON events (study_id, at);
CREATE UNIQUE INDEX studies_open ON studies (open_hash);
COMMIT;
