"""The tables of commands: the parameters of each verb and target, and the PCF command."""

from typing import Final

# Objects that DEFINE, ALTER, DELETE and DISPLAY handle: the messages of success of the first three, the PCF commands.
OBJECTS: Final = """
target   | short | object   | defined  | altered  | deleted  | define                    | alter                     | delete                    | display
QLOCAL   | QL    | QUEUE    | AMQ8006I | AMQ8008I | AMQ8007I | MQCMD_CREATE_Q            | MQCMD_CHANGE_Q            | MQCMD_DELETE_Q            | MQCMD_INQUIRE_Q
QALIAS   | QA    | QUEUE    | AMQ8006I | AMQ8008I | AMQ8007I | MQCMD_CREATE_Q            | MQCMD_CHANGE_Q            | MQCMD_DELETE_Q            | MQCMD_INQUIRE_Q
QREMOTE  | QR    | QUEUE    | AMQ8006I | AMQ8008I | AMQ8007I | MQCMD_CREATE_Q            | MQCMD_CHANGE_Q            | MQCMD_DELETE_Q            | MQCMD_INQUIRE_Q
QMODEL   | QM    | QUEUE    | AMQ8006I | AMQ8008I | AMQ8007I | MQCMD_CREATE_Q            | MQCMD_CHANGE_Q            | MQCMD_DELETE_Q            | MQCMD_INQUIRE_Q
CHANNEL  | CHL   | CHANNEL  | AMQ8014I | AMQ8016I | AMQ8015I | MQCMD_CREATE_CHANNEL      | MQCMD_CHANGE_CHANNEL      | MQCMD_DELETE_CHANNEL      | MQCMD_INQUIRE_CHANNEL
TOPIC    |       | TOPIC    | AMQ8690I | AMQ8691I | AMQ8692I | MQCMD_CREATE_TOPIC        | MQCMD_CHANGE_TOPIC        | MQCMD_DELETE_TOPIC        | MQCMD_INQUIRE_TOPIC
SUB      |       | SUB      | AMQ8094I | AMQ8095I | AMQ8097I | MQCMD_CREATE_SUBSCRIPTION | MQCMD_CHANGE_SUBSCRIPTION | MQCMD_DELETE_SUBSCRIPTION | MQCMD_INQUIRE_SUBSCRIPTION
LISTENER | LSTR  | LISTENER | AMQ8626I | AMQ8623I | AMQ8628I | MQCMD_CREATE_LISTENER     | MQCMD_CHANGE_LISTENER     | MQCMD_DELETE_LISTENER     | MQCMD_INQUIRE_LISTENER
PROCESS  | PRO   | PROCESS  | AMQ8010I | AMQ8012I | AMQ8011I | MQCMD_CREATE_PROCESS      | MQCMD_CHANGE_PROCESS      | MQCMD_DELETE_PROCESS      | MQCMD_INQUIRE_PROCESS
NAMELIST | NL    | NAMELIST | AMQ8552I | AMQ8551I | AMQ8553I | MQCMD_CREATE_NAMELIST     | MQCMD_CHANGE_NAMELIST     | MQCMD_DELETE_NAMELIST     | MQCMD_INQUIRE_NAMELIST
SERVICE  |       | SERVICE  | AMQ8625I | AMQ8624I | AMQ8627I | MQCMD_CREATE_SERVICE      | MQCMD_CHANGE_SERVICE      | MQCMD_DELETE_SERVICE      | MQCMD_INQUIRE_SERVICE
AUTHINFO |       | AUTHINFO | AMQ8563I | AMQ8567I | AMQ8564I | MQCMD_CREATE_AUTH_INFO    | MQCMD_CHANGE_AUTH_INFO    | MQCMD_DELETE_AUTH_INFO    | MQCMD_INQUIRE_AUTH_INFO
COMMINFO |       | COMMINFO | AMQ8858I | AMQ8859I | AMQ8860I | MQCMD_CREATE_COMM_INFO    | MQCMD_CHANGE_COMM_INFO    | MQCMD_DELETE_COMM_INFO    | MQCMD_INQUIRE_COMM_INFO
STGCLASS | STC   | STGCLASS | CSQ9022I | CSQ9022I | CSQ9022I | MQCMD_CREATE_STG_CLASS    | MQCMD_CHANGE_STG_CLASS    | MQCMD_DELETE_STG_CLASS    | MQCMD_INQUIRE_STG_CLASS
PSID     |       | PSID     | CSQ9022I | CSQ9022I | CSQ9022I | MQCMD_CREATE_PAGE_SET     | MQCMD_CHANGE_PAGE_SET     | MQCMD_DELETE_PAGE_SET     | -
BUFFPOOL | BP    | BUFFPOOL | CSQ9022I | CSQ9022I | CSQ9022I | MQCMD_CREATE_BUFFER_POOL  | MQCMD_CHANGE_BUFFER_POOL  | MQCMD_DELETE_BUFFER_POOL  | -
CFSTRUCT |       | CFSTRUCT | CSQ9022I | CSQ9022I | CSQ9022I | MQCMD_CREATE_CF_STRUC     | MQCMD_CHANGE_CF_STRUC     | MQCMD_DELETE_CF_STRUC     | MQCMD_INQUIRE_CF_STRUC
"""

# Parameters beyond the attributes of an object, those that DEFINE requires, and those by which DISPLAY chooses.
EXTRAS: Final = """
object   | define and alter | delete                            | display                       | required | chosen by
QUEUE    | FORCE            | PURGE AUTHREC IGNSTATE QSGDISP    | QTYPE QSGDISP                 |          | CFSTRUCT CLUSNL CLUSTER PSID STGCLASS TARGTYPE
CHANNEL  | CHLTYPE          | CHLTYPE CHLTABLE IGNSTATE QSGDISP | CHLTYPE_ALL QSGDISP           | CHLTYPE  |
TOPIC    | TOPIC_LOCAL      | AUTHREC IGNSTATE QSGDISP          | TOPIC_TYPE QSGDISP            |          | CLUSTER
SUB      | SUBID            | SUBID IGNSTATE                    | SUBID SUBTYPE DURABLE DISTYPE |          |
LISTENER |                  | IGNSTATE                          |                               |          | TRPTYPE
PROCESS  |                  | IGNSTATE QSGDISP                  | QSGDISP                       |          |
NAMELIST |                  | IGNSTATE QSGDISP                  | QSGDISP                       |          | NLTYPE
SERVICE  |                  | IGNSTATE                          |                               |          |
AUTHINFO | AUTHTYPE         | AUTHTYPE IGNSTATE QSGDISP         | AUTHTYPE_ALL QSGDISP          | AUTHTYPE |
COMMINFO |                  | IGNSTATE                          |                               |          | TYPE
STGCLASS |                  | QSGDISP                           | QSGDISP                       |          | PSID
PSID     |                  |                                   |                               |          |
BUFFPOOL |                  |                                   |                               |          |
CFSTRUCT |                  |                                   |                               |          |
"""

# Further information of DISPLAY; `status-type` is the TYPE that chooses among the kinds of one status.
DISPLAYS: Final = """
target   | short   | object   | name          | options                                                | required                | chosen by                                      | pcf
QUEUE    | Q       | QUEUE    | generic       | QTYPE QSGDISP                                          |                         | CFSTRUCT CLUSNL CLUSTER PSID STGCLASS TARGTYPE | MQCMD_INQUIRE_Q
QCLUSTER | QC      | QUEUE    | generic       | QSGDISP                                                |                         | CLUSTER                                        | MQCMD_INQUIRE_Q
TCLUSTER | TC      | TOPIC    | generic       | QSGDISP                                                |                         | CLUSTER                                        | MQCMD_INQUIRE_TOPIC
QMGR     |         | QMGR     |               |                                                        |                         |                                                | MQCMD_INQUIRE_Q_MGR
QSTATUS  | QS      | QSTATUS  | generic       | status-type QSGDISP                                    |                         |                                                | MQCMD_INQUIRE_Q_STATUS
CONN     |         | CONN     | maybe generic | CONN_TYPE EXTCONN URDISP                               |                         |                                                | MQCMD_INQUIRE_CONNECTION
CHSTATUS | CHS     | CHSTATUS | generic       | INSTANCE CHLDISP                                       |                         | CONNAME XMITQ                                  | MQCMD_INQUIRE_CHANNEL_STATUS
LSSTATUS |         | LSSTATUS | generic       |                                                        |                         |                                                | MQCMD_INQUIRE_LISTENER_STATUS
SVSTATUS |         | SVSTATUS | generic       |                                                        |                         |                                                | MQCMD_INQUIRE_SERVICE_STATUS
TPSTATUS | TPS     | TPSTATUS | name          | status-type                                            |                         |                                                | MQCMD_INQUIRE_TOPIC_STATUS
SBSTATUS |         | SBSTATUS | maybe generic | SUBID SUBTYPE DURABLE                                  |                         |                                                | MQCMD_INQUIRE_SUB_STATUS
PUBSUB   |         | PUBSUB   |               | PUBSUB_TYPE                                            |                         |                                                | MQCMD_INQUIRE_PUBSUB_STATUS
QMSTATUS |         | QMSTATUS |               | status-type                                            |                         |                                                | MQCMD_INQUIRE_Q_MGR_STATUS
CLUSQMGR |         | CLUSQMGR | generic       |                                                        |                         | CHANNEL CLUSTER                                | MQCMD_INQUIRE_CLUSTER_Q_MGR
CHLAUTH  |         | CHLAUTH  | generic       | CHLAUTH_TYPE_ALL MATCH_RECORD                          |                         | ADDRESS CLNTUSER QMNAME SSLPEER SSLCERTI       | MQCMD_INQUIRE_CHLAUTH_RECS
AUTHREC  |         | AUTHREC  | maybe generic | PROFILE OBJTYPE PRINCIPAL GROUP MATCH_PROFILE SERVCOMP |                         |                                                | MQCMD_INQUIRE_AUTH_RECS
ENTAUTH  |         | ENTAUTH  |               | OBJTYPE PRINCIPAL GROUP OBJNAME SERVCOMP               | OBJTYPE PRINCIPAL|GROUP |                                                | MQCMD_INQUIRE_ENTITY_AUTH
AUTHSERV |         | AUTHSERV |               |                                                        |                         |                                                | MQCMD_INQUIRE_AUTH_SERVICE
POLICY   |         | POLICY   | generic       |                                                        |                         |                                                | MQCMD_INQUIRE_PROT_POLICY
LOG      |         | LOG      |               |                                                        |                         |                                                | MQCMD_INQUIRE_LOG
ARCHIVE  | ARC     | ARCHIVE  |               |                                                        |                         |                                                | MQCMD_INQUIRE_ARCHIVE
SYSTEM   |         | SYSTEM   |               |                                                        |                         |                                                | MQCMD_INQUIRE_SYSTEM
USAGE    |         | USAGE    |               | USAGE_TYPE PSID                                        |                         |                                                | MQCMD_INQUIRE_USAGE
THREAD   | THD     | THREAD   | generic       | THREAD_TYPE QMNAME                                     |                         |                                                | MQCMD_INQUIRE_THREAD
TRACE    |         | TRACE    | maybe:TRACE   | CLASS DEST TNO USERID RMID DETAIL COMMENT              |                         |                                                | MQCMD_INQUIRE_TRACE
CHINIT   | CHI DQM | CHINIT   |               |                                                        |                         |                                                | MQCMD_INQUIRE_CHANNEL_INIT
CMDSERV  | CS      | CMDSERV  |               |                                                        |                         |                                                | MQCMD_INQUIRE_CMD_SERVER
SECURITY | SEC     | SECURITY |               |                                                        |                         |                                                | MQCMD_INQUIRE_SECURITY
GROUP    |         | GROUP    |               | OBSMSGS                                                |                         |                                                | MQCMD_INQUIRE_QSG
CFSTATUS |         | CFSTATUS | generic       | status-type SMDS                                       |                         |                                                | MQCMD_INQUIRE_CF_STRUC_STATUS
SMDS     |         | SMDS     | generic       |                                                        | CFSTRUCT                | CFSTRUCT                                       | MQCMD_INQUIRE_SMDS
SMDSCONN |         | SMDSCONN | generic       |                                                        | CFSTRUCT                | CFSTRUCT                                       | MQCMD_INQUIRE_SMDSCONN
"""

# The other commands. An object may be narrowed to a type of its family: QUEUE/QLOCAL. A name is required, generic or
# may be left out; behind the colon is what it names where that is not the object. `trace...` and `listener...` stand
# for the options that several commands share. The message is that of success; - for none.
ACTIONS: Final = """
command          | short | object            | name              | carries | options                                                                | required                                | pcf                          | message  | meaning
ALTER QMGR       |       | QMGR/QMGR         |                   | alter   | FORCE CMDSCOPE                                                         |                                         | MQCMD_CHANGE_Q_MGR           | AMQ8005I | Changes the queue manager.
ALTER SMDS       |       | SMDS/SMDS         | name              | alter   | CFSTRUCT                                                               | CFSTRUCT                                | MQCMD_CHANGE_SMDS            | CSQ9022I | Changes a shared message data set.
ALTER SECURITY   | SEC   | SECURITY/SECURITY |                   | alter   | CMDSCOPE                                                               |                                         | MQCMD_CHANGE_SECURITY        | CSQ9022I | Changes how long users are remembered.
ALTER TRACE      |       | TRACE             | name:TRACE        |         | TNO CLASS IFCID COMMENT CMDSCOPE                                       | TNO                                     | MQCMD_CHANGE_TRACE           | CSQ9022I | Changes a running trace.
ARCHIVE LOG      |       | LOG               |                   |         | ARCHIVE_MODE ARCHIVE_TIME ARCHIVE_WAIT CANCEL CMDSCOPE                 |                                         | MQCMD_ARCHIVE_LOG            | CSQ9022I | Closes the log extent and archives it.
BACKUP CFSTRUCT  |       | CFSTRUCT          | name              |         | EXCLINT CMDSCOPE                                                       |                                         | MQCMD_BACKUP_CF_STRUC        | CSQ9022I | Backs up a structure to the log.
CLEAR QLOCAL     | QL    | QUEUE/QLOCAL      | name              |         | QSGDISP CMDSCOPE                                                       |                                         | MQCMD_CLEAR_Q                | AMQ8022I | Deletes all messages of a queue.
CLEAR TOPICSTR   |       |                   | name:TOPICSTR     |         | CLRTYPE CLEAR_SCOPE CMDSCOPE                                           | CLRTYPE                                 | MQCMD_CLEAR_TOPIC_STRING     | AMQ8773I | Drops the retained publication of a topic string.
DEFINE LOG       |       | LOG               | name:LOG          |         | COPY CMDSCOPE                                                          |                                         | MQCMD_CREATE_LOG             | CSQ9022I | Adds an active log extent.
DELETE AUTHREC   |       | AUTHREC/AUTHREC   | maybe             |         | PROFILE OBJTYPE PRINCIPAL GROUP IGNSTATE SERVCOMP                      | OBJTYPE PRINCIPAL|GROUP                 | MQCMD_DELETE_AUTH_REC        | AMQ8863I | Deletes an authority record.
DELETE POLICY    |       | POLICY/POLICY     | name              |         | IGNSTATE                                                               |                                         | MQCMD_DELETE_PROT_POLICY     | AMQ9088I | Deletes a message protection policy.
END              |       |                   |                   |         |                                                                        |                                         |                              | -        | Ends the session.
MOVE QLOCAL      | QL    | QUEUE/QLOCAL      | name              |         | TOQLOCAL MOVE_TYPE QSGDISP CMDSCOPE                                    | TOQLOCAL                                | MQCMD_MOVE_Q                 | CSQ9022I | Moves all messages of a queue to another.
PING CHANNEL     | CHL   | CHANNEL           | name              |         | DATALEN CHLDISP CMDSCOPE                                               |                                         | MQCMD_PING_CHANNEL           | AMQ8020I | Tests a channel by sending data to the partner.
PING QMGR        |       | QMGR              |                   |         |                                                                        |                                         | MQCMD_PING_Q_MGR             | AMQ8415I | Tests whether commands are carried out.
RECOVER CFSTRUCT |       | CFSTRUCT          | name              |         | RECOVER_TYPE CMDSCOPE                                                  |                                         | MQCMD_RECOVER_CF_STRUC       | CSQ9022I | Recovers a structure from backup and log.
RECOVER BSDS     |       |                   |                   |         | CMDSCOPE                                                               |                                         | MQCMD_RECOVER_BSDS           | CSQ9022I | Makes the second bootstrap file again.
REFRESH CLUSTER  |       |                   | name:CLUSTER      |         | REPOS CMDSCOPE                                                         |                                         | MQCMD_REFRESH_CLUSTER        | AMQ8558I | Drops and learns again what is known of a cluster.
REFRESH QMGR     |       | QMGR              |                   |         | REFRESH_TYPE OBJECT OBJECT_NAME INCLINT CMDSCOPE                       | TYPE                                    | MQCMD_REFRESH_Q_MGR          | AMQ8005I | Scans for expired messages, or writes configuration events.
REFRESH SECURITY | SEC   | SECURITY          | maybe:SECURITY    |         | SECURITY_TYPE CMDSCOPE                                                 |                                         | MQCMD_REFRESH_SECURITY       | AMQ8560I | Reads users, authorities and keys again.
RESET CHANNEL    | CHL   | CHANNEL           | name              |         | SEQNUM CHLDISP CMDSCOPE                                                |                                         | MQCMD_RESET_CHANNEL          | AMQ8023I | Sets the sequence number of a channel.
RESET CLUSTER    |       |                   | name:CLUSTER      |         | ACTION_CLUSTER QMNAME QMID QUEUES CMDSCOPE                             | ACTION                                  | MQCMD_RESET_CLUSTER          | AMQ8559I | Removes a queue manager from a cluster by force.
RESET QMGR       |       | QMGR              |                   |         | RESET_TYPE CHILD PARENT REDUCE ARCHIVED CMDSCOPE                       | TYPE                                    | MQCMD_RESET_Q_MGR            | AMQ8005I | Begins a new log extent, or writes statistics now.
RESET QSTATS     |       | QUEUE             | generic           |         | CMDSCOPE                                                               |                                         | MQCMD_RESET_Q_STATS          | CSQ9022I | Shows and clears the counts of a queue.
RESET CFSTRUCT   |       | CFSTRUCT          | name              |         | ACTION_FAIL                                                            | ACTION                                  | MQCMD_RESET_CF_STRUC         | CSQ9022I | Makes a structure fail, so that it can be recovered.
RESET SMDS       |       | SMDS/SMDS         | name              |         | CFSTRUCT ACCESS STATUS_SMDS                                            | CFSTRUCT                                | MQCMD_RESET_SMDS             | CSQ9022I | Sets the state of a shared message data set.
RESET TPIPE      |       |                   | name:TOPICSTR     |         |                                                                        |                                         | MQCMD_RESET_TPIPE            | CSQ9022I | Sets the sequence numbers of an IMS pipe.
RESOLVE CHANNEL  | CHL   | CHANNEL           | name              |         | ACTION_INDOUBT CHLDISP CMDSCOPE                                        | ACTION                                  | MQCMD_RESOLVE_CHANNEL        | AMQ8025I | Ends a batch of a channel that is in doubt.
RESOLVE INDOUBT  | IND   | THREAD            | name              |         | ACTION_INDOUBT NID QMNAME CMDSCOPE                                     | ACTION                                  | MQCMD_RESOLVE_INDOUBT        | CSQ9022I | Ends units of work that are in doubt.
RESUME QMGR      |       | QMGR              |                   |         | CLUSTER CLUSNL FACILITY LOG CMDSCOPE                                   |                                         | MQCMD_RESUME_Q_MGR           | AMQ8556I | Undoes SUSPEND QMGR.
RVERIFY SECURITY | SEC   | SECURITY          | name:USERS        |         | CMDSCOPE                                                               |                                         | MQCMD_REVERIFY_SECURITY      | CSQ9022I | Forgets what is known of users.
SET ARCHIVE      | ARC   | ARCHIVE/ARCHIVE   |                   | alter   | DEFAULT CMDSCOPE                                                       |                                         | MQCMD_SET_ARCHIVE            | CSQ9022I | Changes parameters of archiving.
SET AUTHREC      |       | AUTHREC/AUTHREC   | maybe             |         | PROFILE OBJTYPE PRINCIPAL GROUP AUTHADD AUTHRMV SERVCOMP               | OBJTYPE PRINCIPAL|GROUP AUTHADD|AUTHRMV | MQCMD_SET_AUTH_REC           | AMQ8862I | Gives or takes authority.
SET CHLAUTH      |       | CHLAUTH           | generic           | define  | CHLAUTH_TYPE ACTION_RECORD CMDSCOPE                                    | TYPE                                    | MQCMD_SET_CHLAUTH_REC        | AMQ8877I | Makes or removes a channel authentication record.
SET LOG          |       | LOG/LOG           |                   | alter   | DEFAULT CMDSCOPE                                                       |                                         | MQCMD_SET_LOG                | CSQ9022I | Changes parameters of the log.
SET POLICY       |       | POLICY/POLICY     | name              | define  | ACTION_POLICY ENFORCE                                                  |                                         | MQCMD_SET_PROT_POLICY        | AMQ9087I | Makes or removes a message protection policy.
SET SYSTEM       |       | SYSTEM/SYSTEM     |                   | alter   | DEFAULT CMDSCOPE                                                       |                                         | MQCMD_SET_SYSTEM             | CSQ9022I | Changes system parameters.
START CHANNEL    | CHL   | CHANNEL           | name              |         | CHLTYPE CHLDISP IGNSTATE CMDSCOPE                                      |                                         | MQCMD_START_CHANNEL          | AMQ8018I | Starts a channel.
START CHINIT     | CHI   | CHINIT            |                   |         | INITQ ENVPARM CMDSCOPE                                                 |                                         | MQCMD_START_CHANNEL_INIT     | AMQ8024I | Starts the channel initiator.
START CMDSERV    | CS    | CMDSERV           |                   |         |                                                                        |                                         | MQCMD_START_CMD_SERVER       | CSQ9022I | Starts the command server.
START LISTENER   | LSTR  | LISTENER          | maybe             |         | listener...                                                            |                                         | MQCMD_START_CHANNEL_LISTENER | AMQ8021I | Starts a listener.
START QMGR       |       | QMGR              |                   |         | ENVPARM                                                                |                                         | MQCMD_START_Q_MGR            | CSQ9022I | Starts the queue manager.
START SERVICE    |       | SERVICE           | name              |         | IGNSTATE                                                               |                                         | MQCMD_START_SERVICE          | AMQ8733I | Starts a service.
START SMDSCONN   |       | SMDSCONN/SMDSCONN | generic           |         | CFSTRUCT CMDSCOPE                                                      | CFSTRUCT                                | MQCMD_START_SMDSCONN         | CSQ9022I | Allows use of a shared message data set again.
START TRACE      |       | TRACE             | maybe:TRACE       |         | trace... TDATA IFCID                                                   |                                         | MQCMD_START_TRACE            | CSQ9022I | Starts a trace.
STOP CHANNEL     | CHL   | CHANNEL           | name              |         | CHLTYPE MODE_STOP STATUS_STOP CONNAME QMNAME CHLDISP IGNSTATE CMDSCOPE |                                         | MQCMD_STOP_CHANNEL           | AMQ8019I | Stops a channel.
STOP CHINIT      | CHI   | CHINIT            |                   |         | SHARED CMDSCOPE                                                        |                                         | MQCMD_STOP_CHANNEL_INIT      | CSQ9022I | Stops the channel initiator.
STOP CMDSERV     | CS    | CMDSERV           |                   |         |                                                                        |                                         | MQCMD_STOP_CMD_SERVER        | CSQ9022I | Stops the command server.
STOP CONN        |       | CONN              | name              |         | EXTCONN                                                                |                                         | MQCMD_STOP_CONNECTION        | AMQ8457I | Breaks a connection.
STOP LISTENER    | LSTR  | LISTENER          | maybe             |         | listener...                                                            |                                         | MQCMD_STOP_CHANNEL_LISTENER  | AMQ8706I | Stops a listener.
STOP QMGR        |       | QMGR              |                   |         | MODE_STOP CMDSCOPE                                                     |                                         | MQCMD_STOP_Q_MGR             | CSQ9022I | Stops the queue manager.
STOP SERVICE     |       | SERVICE           | name              |         | IGNSTATE                                                               |                                         | MQCMD_STOP_SERVICE           | AMQ8734I | Stops a service.
STOP SMDSCONN    |       | SMDSCONN/SMDSCONN | generic           |         | CFSTRUCT CMDSCOPE                                                      | CFSTRUCT                                | MQCMD_STOP_SMDSCONN          | CSQ9022I | Ends use of a shared message data set.
STOP TRACE       |       | TRACE             | name:TRACE        |         | trace... TNO                                                           |                                         | MQCMD_STOP_TRACE             | CSQ9022I | Stops a trace.
SUSPEND QMGR     |       | QMGR              |                   |         | CLUSTER CLUSNL FACILITY LOG MODE_STOP CMDSCOPE                         |                                         | MQCMD_SUSPEND_Q_MGR          | AMQ8557I | Leaves a cluster for a while, or holds logging.
"""
