"""The columns of mq-smf-csv's files, as data: the heading of each, and the field behind it.

    Name=FIELD             a number, text, bytes, a duration (two columns) or a time (two columns), as the field is
    Name=FIELD:A/B:mask    A where a bit of a flag word is set, else B; `yes` stands for Yes/No
    Name=FIELD:char        bytes shown as text; `us` a duration in one column of microseconds
    Name=#index            the place of the structure in its record; `#correlator` the 16 bytes that join a task's rows
    @FIELD                 the columns of every element of an array

A heading that comes several times for one field takes the elements of its array in turn. Two pairs of columns that the
original exchanges, Get_P with Get_NP and Browse_P with Browse_NP, hold here what their headings say.
"""

from typing import Final

# The names that the original has for codes; a code without one is empty.
CODE_NAMES: Final[dict[str, dict[int, str]]] = {
    "CONNTYPE": {
        1: "CICS",
        2: "TSO",
        3: "IMS Ctl ",
        4: "IMS MPP/BMP",
        5: "Cmd Svr",
        6: "CHIN",
        7: "RRS",
        8: "IGQ",
    },
    "MQQT": {1: "Local", 2: "Model", 3: "Alias", 6: "Remote", 7: "Cluster", 8: "Topic"},
    "MQIT": {0: "None", 1: "MsgId", 2: "CorrelId", 4: "MsgToken", 5: "GroupId"},
    "MQQSGD": {0: "QMgr", 1: "Copy", 2: "Shared", 3: "Group", 4: "Private", 6: "Live"},
    "MQCHLD": {1: "Default", 2: "Shared", 4: "Private", 5: "Fixshared"},
    "MQCHT": {
        1: "Sender",
        2: "Server",
        3: "Receiver",
        4: "Requester",
        5: "All",
        6: "ClntConn",
        7: "SvrConn",
        8: "ClusRcvr",
        9: "ClusSdr",
        10: "MQTT",
        11: "AMQP",
    },
    "MQCHS": {
        0: "Inactive",
        1: "Binding",
        2: "Starting",
        3: "Running",
        4: "Stopping",
        5: "Retrying",
        6: "Stopped",
        7: "Requesting",
        8: "Paused",
        9: "Disconnected",
        13: "Initializing",
        14: "Switching",
    },
    "MQMON": {0: "Off", 1: "On", 17: "Low", 33: "Medium", 65: "High"},
}

REQUESTS: Final = (
    "Lock",
    "Unlock",
    "WrLCCtl",
    "SigXCF",
    "SigCF",
    "Read",
    "Write",
    "StartMon",
    "StopMon",
    "ReadList",
    "New",
    "Move",
    "MoveEntry",
    "Delete",
)

# How many requests of each kind an array has room for, whichever are named above.
REQUEST_SLOTS: Final = 20

# The arrays of counters, with the verbs that they are by; what a task does at commit reads no list.
REQUEST_ARRAYS: Final[dict[str, tuple[str, ...]]] = {
    "MQCFREQ": ("Open", "Close", "Get", "Put", "Put1"),
    "COMMITCF": ("Cmit",),
    "PREPCF": ("Prep",),
}

# The columns of each log copy and class of I/O, in the order of its fields.
IO_HEADINGS: Final = (
    "IO_Count",
    "IO_CI",
    "IO_Total_Time",
    "IO_Total_Suspend_Time",
    "IO_Max_Duration",
    "IO_Max_Time",
    "IO_Max_Log_ID",
    "IO_Max_Suspend_Dur",
    "IO_Max_Suspend_Time",
    "IO_Max_Suspend_Log_ID",
)

FILES: Final[dict[str, str]] = {
    "Q5ST": """
        Server_Tasks=NUMTASK Active_Server_Tasks=ACTTASK Connect_Requests=CONNCNT Disconnect_Requests=DISCCNT
        Max_Request_Queue_Depth=DHIGMAX DB2_Task_Abends=ABNDCNT Request_Requeues=REQUCNT
        Deadlock_Timeouts=DEADCNT Delete_Requests=DELECNT List_Requests=LISTCNT Read_Requests=READCNT
        Update_Requests=UPDTCNT Write_Requests=WRITCNT DB2_Blob_Selects=LMSSEL DB2_Blob_Inserts=LMSINS
        DB2_Blob_Updates=LMSUPD DB2_Blob_Deletes=LMSDEL DB2_Blob_Lists=LMSLIS SCST_Selects=SCSSEL
        SCST_Inserts=SCSINS SCST_Updates=SCSUPD SCST_Deletes=SCSDEL SCST_Buff_Too_Small=SCSBFTS
        SCST_Max_Rows=SCSMAXR SSKT_Selects=SSKSEL SSKT_Inserts=SSKINS SSKT_Deletes=SSKDEL
        Thread_Delete_Elapsed=DELETCUW Thread_Delete_Max=DELETMXW SQL_Delete_Elapsed=DELESCUW
        SQL_Delete_Max=DELESMXW Thread_List_Elapsed=LISTTCUW Thread_List_Max=LISTTMXW SQL_List_Elapsed=LISTSCUW
        SQL_List_Max=LISTSMXW Thread_Read_Elapsed=READTCUW Thread_Read_Max=READTMXW SQL_Read_Elapsed=READSCUW
        SQL_Read_Max=READSMXW Thread_Update_Elapsed=UPDTTCUW Thread_Update_Max=UPDTTMXW
        SQL_Update_Elapsed=UPDTSCUW SQL_Update_Max=UPDTSMXW Thread_Write_Elapsed=WRITTCUW
        Thread_Write_Max=WRITTMXW SQL_Write_Elapsed=WRITSCUW SQL_Write_Max=WRITSMXW
        SCST_Thread_Select_Elapsed=SCSSTCUW SCST_Thread_Select_Max=SCSSTMXW SCST_SQL_Select_Elapsed=SCSSSCUW
        SCST_SQL_Select_Max=SCSSSMXW SCST_Thread_Insert_Elapsed=SCSITCUW SCST_Thread_Insert_Max=SCSITMXW
        SCST_SQL_Insert_Elapsed=SCSISCUW SCST_SQL_Insert_Max=SCSISMXW SCST_Thread_Update_Elapsed=SCSUTCUW
        SCST_Thread_Update_Max=SCSUTMXW SCST_SQL_Update_Elapsed=SCSUSCUW SCST_SQL_Update_Max=SCSUSMXW
        SCST_Thread_Delete_Elapsed=SCSDTCUW SCST_Thread_Delete_Max=SCSDTMXW SCST_SQL_Delete_Elapsed=SCSDSCUW
        SCST_SQL_Delete_Max=SCSDSMXW SSKT_Thread_Select_Elapsed=SSKSTCUW SSKT_Thread_Select_Max=SSKSTMXW
        SSKT_SQL_Select_Elapsed=SSKSSCUW SSKT_SQL_Select_Max=SSKSSMXW SSKT_Thread_Insert_Elapsed=SSKITCUW
        SSKT_Thread_Insert_Max=SSKITMXW SSKT_SQL_Insert_Elapsed=SSKISCUW SSKT_SQL_Insert_Max=SSKISMXW
        SSKT_Thread_Update_Elapsed=SSKDTCUW SSKT_Thread_Update_Max=SSKDTMXW SSKT_SQL_Update_Elapsed=SSKDSCUW
        SSKT_SQL_Update_Max=SSKDSMXW BLOB_Thread_Select_Elapsed=LMSSTCUW BLOB_Thread_Select_Max=LMSSTMXW
        BLOB_SQL_Select_Elapsed=LMSSSCUW BLOB_SQL_Select_Max=LMSSSMXW BLOB_Thread_Insert_Elapsed=LMSITCUW
        BLOB_Thread_Insert_Max=LMSITMXW BLOB_SQL_Insert_Elapsed=LMSISCUW BLOB_SQL_Insert_Max=LMSISMXW
        BLOB_Thread_Update_Elapsed=LMSUTCUW BLOB_Thread_Update_Max=LMSUTMXW BLOB_SQL_Update_Elapsed=LMSUSCUW
        BLOB_SQL_Update_Max=LMSUSMXW BLOB_Thread_Delete_Elapsed=LMSDTCUW BLOB_Thread_Delete_Max=LMSDTMXW
        BLOB_SQL_Delete_Elapsed=LMSDSCUW BLOB_SQL_Delete_Max=LMSDSMXW BLOB_Thread_List_Elapsed=LMSLTCUW
        BLOB_Thread_List_Max=LMSLTMXW BLOB_SQL_List_Elapsed=LMSLSCUW BLOB_SQL_List_Max=LMSLSMXW
    """,
    "QCCT": """
        Job_Name=QCCTJOBN QSG_Name=QCCTQSGN Current_Chl_High_Water=QCCTNOCC Current_Chl_Max=QCCTMXCC
        Active_Chl_High_Water=QCCTNOAC Active_Chl_Max=QCCTMXAC Max_TCP_Chl=QCCTMXTP Max_LU62_Chl=QCCTMXLU
        Storage_Usage_31=QCCTSTUS Storage_Usage_64=QCCTSTAB Storage_Limit_64=QCCTSLIM
    """,
    "QCTADP": """
        Task_Number=QCTTSKN Task_Index=#index Request_Count=QCTREQN Task_CPU_Time=QCTCPTM
        Task_Elapsed_Time=QCTELTM Task_Wait_Time=QCTWTTM
    """,
    "QCTDNS": """
        Task_Number=QCTTSKN Task_Index=#index Request_Count=QCTREQN Task_CPU_Time=QCTCPTM
        Task_Elapsed_Time=QCTELTM Task_Wait_Time=QCTWTTM Max_DNS_Request_Time=QCTLGTM
        Max_DNS_Request_Duration=QCTLGDU
    """,
    "QCTDSP": """
        Task_Number=QCTTSKN Task_Index=#index Request_Count=QCTREQN Task_CPU_Time=QCTCPTM
        Task_Elapsed_Time=QCTELTM Task_Wait_Time=QCTWTTM Task_Channel_Count=QCTCHLN
    """,
    "QCTSSL": """
        Task_Number=QCTTSKN Task_Index=#index Request_Count=QCTREQN Task_CPU_Time=QCTCPTM
        Task_Elapsed_Time=QCTELTM Task_Wait_Time=QCTWTTM Max_SSL_Request_Time=QCTLSTM
        Max_SSL_Request_Duration=QCTLSDU
    """,
    "QESD": """
        Structure=QESDSTR Structure_Number=QESDSTRN Blocks_SMDS=QESDSMBT Blocks_Space_Map=QESDSMBS
        Blocks_Msg_Data=QESDSMBD Blocks_In_Use=QESDSMBU Blocks_Free=QESDSMBF Messages_In_Dataset=QESDSMMC
        Allocation_Requests=QESDSMAR Release_Requests=QESDSMFR Reallocation_Requests=QESDSMRR
        Cleanup_Requests=QESDSMCR Pages_Allocated=QESDSMAP Pages_Freed=QESDSMFP Pages_Reallocated=QESDSMRP
        Pages_Cleaned_Up=QESDSMCP Failed_Allocates=QESDSMFL Max_Msg_Count=QESDSMMM Max_Used_Blocks=QESDSMMU
        Min_Free_Blocks=QESDSMMF Buffer_Size=QESDBFSZ Buffer_Total=QESDBFTO Buffer_Shared_Used=QESDBFUS
        Buffer_Private_Used=QESDBFUP Free_Saved_Buffers=QESDBFFS Free_Empty_Buffers=QESDBFFE
        Pool_Waiters=QESDBFPW Buffer_Waiters=QESDBFBW Buffer_Get_Count=QESDBFGB Buffer_Get_Valid=QESDBFGV
        Buffer_Get_Empty=QESDBFGM Buffer_Get_Free=QESDBFGF Buffer_Stole=QESDBFGL Buffer_No_Get=QESDBFGN
        Total_Read_Requests=QESDBFRR Read_Saved=QESDBFRS Read_Partial=QESDBFRP Total_Write_Requests=QESDBFWR
        Buffer_Free_Valid_Data=QESDBFFB Buffer_Empty_Discarded=QESDBFDB Waited_For_Pool=QESDBFWP
        Waited_For_Buffer=QESDBFWB Pool_Wait_Time=QESDBFPT Buffer_Wait_Time=QESDBFBT:us Buffer_Max_Used=QESDBFMU
        Buffer_Min_Free=QESDBFMF Pool_Max_Waiters=QESDBFMP Buffer_Max_Waiters=QESDBFMB
        High_Allocated_Ctl_Interval=QESDIOHA High_Used_Ctl_Interval=QESDIOHU Ctl_Interval_Size=QESDIOCI
        Ctl_Area_Size=QESDIOCA Format_Write_Requests=QESDIOFR Format_Total_Pages=QESDIOFP
        Format_IO_Time=QESDIOFT Format_IO_Wait=QESDIOFW Write_Requests=QESDIOWR Write_Total_Pages=QESDIOWP
        Write_IO_Time=QESDIOWT Write_IO_Wait=QESDIOWW Read_Requests=QESDIORR Read_Total_Pages=QESDIORP
        Read_IO_Time=QESDIORT Read_IO_Wait=QESDIORW Other_Read_Requests=QESDIOOR Other_Read_Total_Pages=QESDIOOP
        Other_Read_IO_Time=QESDIOOT Other_Read_IO_Wait=QESDIOOW Encrypted=QESDFLAG:yes:0x80000000
    """,
    "QEST": """
        Structure_Name=QESTSTR Structure_Number=QESTSTRN IXLLSTE_Calls=QESTCSEC IXLLSTM_Calls=QESTCMEC
        IXLLSTE_Redrives=QESTRSEC IXLLSTM_Redrives=QESTRMEC Structure_Full=QESTSFUL Max_In_Use_Entries=QESTMNUS
        Max_In_Use_Elements=QESTMLUS IXLLSTE_Calls_Time=QESTSSTC IXLLSTM_Calls_Time=QESTMSTC
    """,
    "QIS1": """
        Pageset=QIS1PSNO BufferPool=QIS1BPNO Pageset_Status=QIS1STAT Total_Pages=QIS1TOPG Unused_Pages=QIS1UNPG
        Persistent_Pages=QIS1PPG Nonpersistent_Pages=QIS1NPPG Full_Count=QIS1FULL Put_Cursor_High=QIS1PCHI
        Page_Write_IO=QIS1DWPN Pages_Written=QIS1DWPP Page_Write_IO_Time=QIS1DWPT IMW_Pages_IO=QIS1IMWN
        IMW_Pages=QIS1IMWP IMW_Pages_IO_Time=QIS1IMWT Pages_Read_IO=QIS1GETN Pages_Read=QIS1GETP
        Pages_Read_IO_Time=QIS1GETT Checkpoint_Pages_Written=QIS1CKPP Stripes=QIS1STRN Expansions=QIS1EXPN
        Expansion_Method=QIS1EXPM Expand=QIS1FLAG:yes:0x80000000 Encrypted=QIS1FLAG:yes:0x40000000
    """,
    "QIST": """
        Msg_Get=QISTMGET Msg_Put=QISTMPUT Msg_Browse_Lock=QISTMBLR Object_Create=QISTDCRE Object_Put=QISTDPUT
        Object_Delete=QISTDDEL Object_Get=QISTDGET Object_Locate=QISTDLOC Msg_Count=QISTMCNT
        Stgclass_Change=QISTALST Lock_Marked_Msg=QISTLOMM Delete_Marked_Msg=QISTDLMM Enumerates=QISTENUM
        Gets_From_Disk=QISTGETD Gets_From_BufferPool=QISTGETB
    """,
    "QJST": """
        WRT_Request_Wait=QJSTWRW WRT_Request_NoWait=QJSTWRNW WRT_Request_Force=QJSTWRF
        Unavailable_Buffer_Count=QJSTWTB Log_Read_Output_Buffer=QJSTRBUF Log_Read_Active_Log=QJSTRACT
        Log_Read_Archive_Log=QJSTRARH Tape_Contention_Delays=QJSTTVC BSDS_Access=QJSTBSDS Active_Log_CI=QJSTBFFL
        Buffer_Writes=QJSTBFWR Archive_Read=QJSTALR Archive_Write=QJSTALW CI_Offloads=QJSTCIOF
        Checkpoints=QJSTLLCP Read_Delayed=QJSTWUR Lookahead_Mount_Attempts=QJSTLAMA
        Lookahead_Mount_Succeed=QJSTLAMS Log_Request_Suspends=QJSTLSUS Log_Writes=QJSTLOGW Log_CI=QJSTCIWR
        Log_CI_Serial=QJSTSERW Log_Write_Threshold=QJSTTHRW Log_Write_Buffer_Paged=QJSTBPAG
        Comp_Requests=QJSTCMPREQ Comp_Fail=QJSTCMPFAIL Comp_Uncompressed_Bytes=QJSTCMPUNCMP
        Comp_Compressed_Bytes=QJSTCMPCOMP Decomp_Requests=QJSTDECREQ Decomp_Fail=QJSTDECFAIL
        Decomp_Uncompressed_Bytes=QJSTDECUNCMP Decomp_Compressed_Bytes=QJSTDECCOMP @QJSTIO
        Writer_Idle_Time=QJSTSLPTU IO_Time_Sum_Squares_1=QJSTIOSQU IO_Time_Sum_Squares_2=QJSTIOSQU
        Copy1_New_Logs=QJSTCP1N Copy2_New_Logs=QJSTCP2N New_Logs_ZHW_Capable=QJSTHWC
        New_Logs_ZHW_Enabled=QJSTHWE New_Logs_Encrypted=QJSTENCR ZHL_Single_CI_Write_Requests=QJSTHLSCIW
        ZHL_Multi_CI_Write_Requests=QJSTHLMCIW ZHL_CIs_Attempted=QJSTHLCICNTW
        ZHL_Single_CI_Writes_Success=QJSTHLSCIS ZHL_Multi_CI_Writes_Success=QJSTHLMCIS
        ZHL_CIs_Successful=QJSTHLCICNTS ZHL_Async_Single_CI_Writes=QJSTHLSCIF
        ZHL_Async_Multi_CI_Writes=QJSTHLMCIF ZHL_CIs_Async=QJSTHLCICNTF Single_CI_Writes_ZHL_Conn=QJSTHLSCICON
        Multi_CI_Writes_ZHL_Conn=QJSTHLMCICON CIs_Written_In_Conn_Time=QJSTHLCONCICNT
        ZHL_IO_Time_Single_CI_Max=QJSTHLSCIWTMAX ZHL_IO_Time_Single_CI_Min=QJSTHLSCIWTMIN
        ZHL_IO_Time_Single_CI_Total=QJSTHLSCIWTTOT ZHL_IO_Time_Multi_CI_Max=QJSTHLMCIWTMAX
        ZHL_IO_Time_Multi_CI_Min=QJSTHLMCIWTMIN ZHL_IO_Time_Multi_CI_Total=QJSTHLMCIWTTOT
        ZHL_IO_Time_Sum_Squares_1=QJSTHLIOSQU ZHL_IO_Time_Sum_Squares_2=QJSTHLIOSQU New_Logs_ZHL_Capable=QJSTHLC
        New_Logs_ZHL_Enabled=QJSTHLE
    """,
    "QLST": """
        Get_Lock_Requests=QLSTGETL Get_Lock_Held=QLSTHLDL Release_Lock=QLSTRELL
    """,
    "QMST": """
        Open=QMSTOPEN Close=QMSTCLOS Get=QMSTGET Put=QMSTPUT Put1=QMSTPUT1 Inq=QMSTINQ Inql=QMSTINQL Set=QMSTSET
        Endw=QMSTENDW Close_Handles=QMSTCALH Sub=QMSTSUB SubReq=QMSTSUBR CB=QMSTCB CTL=QMSTCTL Status=QMSTSTUS
        Pubs=QMSTPUBS PersPuts=QMSTSPP NonPersPuts=QMSTSNP PersPutBytes=QMSTPBP NonPersPutBytes=QMSTNBP
        Otel_Prop_Put=QMSTOCPA Otel_Prop_Get=QMSTOCGA Otel_Disc_Put=QMSTOAHC Otel_Inval_Put=QMSTOCPD
        Otel_Max_Props_Put=QMSTOCMP Otel_Inval_Get=QMSTOCGD Otel_State_Trunc_Put=QMSTOCPS
        Otel_State_Trunc_Get=QMSTOCGS Otel_Spans_Consumer=QMSTOSCS Otel_Spans_Producer=QMSTOSPS
        Otel_Nosample_Put=QMSTOSNS Otel_Disc_Get=QMSTOCDA Otel_Span_Limit_Producer=QMSTOSPL
        Otel_Span_Limit_Consumer=QMSTOSCL Otel_Span_Limit_Storage=QMSTOSFS Otel_Span_Success=QMSTOSOK
        Otel_Span_Failed=QMSTOSFR Otel_Span_Failed_Capacity=QMSTOSFC Otel_SMF_Success=QMSTOTSO
        Otel_SMF_Failed=QMSTOTSR Otel_SMF_Failed_Capacity=QMSTOTSC Otel_CPU_Time=QMSTOTPU
        Otel_Wait_Work_Time=QMSTOTPW Otel_Wait_SMF_Time=QMSTOTPD Otel_EmissionTasks=QMSTOTSK
        Otel_IMS_Bridge_Spans=QMSTOBSE Otel_IMS_Bridge_Propagates=QMSTOBCP Otel_IMS_Bridge_Discard=QMSTOBCD
    """,
    "QPST": """
        BufferPool=QPSTPOOL Buffer_Count=QPSTNBUF Lowest_Stealable=QPSTCBSL Current_Stealable=QPSTCBS
        Getp_Old_Requests=QPSTGETP Getp_New_Requests=QPSTGETN DASD_Read=QPSTRIO Set_Write_Pages=QPSTSTW
        Pages_Written=QPSTTPW DASD_Write=QPSTWIO Sync_Writes=QPSTIMW Defer_Write_THold_Reached=QPSTDWT
        Sync_Write_THold_Reached=QPSTDMC Buffer_Steals=QPSTSTL Buffer_Steals_Hash_Changes=QPSTSTLA
        Suspend_No_Buffers=QPSTSOS LOC=QPSTFLAG:Above/Below:0x80000000 FIX=QPSTFLAG:Fixed/Paged:0x40000000
    """,
    "QQST": """
        Queue=QQSTQNAM Queue_Disp=QQSTFLAG:SHARED/PRIVATE:0x80000000 Record=QQSTFLAG:PARTIAL/FULL:0x40000000
        QSG_Name=QQSTQSGN Structure=QQSTCFST Pageset=QQSTPSID BufferPool=QQSTBPID Current_Depth=QQSTDPTH
        Output_Handles=QQSTOPCT Input_Handles=QQSTIPCT Max_Age=QQSTMAGE QTime_Short=QQSTQTST QTime_Long=QQSTQTLT
        Last_Put=QQSTLPUT Last_Get=QQSTLGET Uncommitted=QQSTFLAG:YES/NO:0x20000000
        Queue_Depth_High_Water=QQSTDPHI Queue_Depth_Low_Water=QQSTDPLO Put=QQSTPUTS Put1=QQSTPUT1
        Put_NP=QQSTNPPT Put_P=QQSTPPT Put1_NP=QQSTNPP1 Put1_P=QQSTPP1 Put_Bytes=QQSTPUTB Put1_Bytes=QQSTPT1B
        Put_Bytes_NP=QQSTNPPB Put_Bytes_P=QQSTPPB Put1_Bytes_NP=QQSTNP1B Put1_Bytes_P=QQSTP1B
        Msg_Length_Min=QQSTMSMI Msg_Length_Max=QQSTMSMA Msg_Length_Ave=QQSTMSAV Get=QQSTGETS Get_P=QQSTPDG
        Get_NP=QQSTNPDG Get_Bytes=QQSTGETB Get_Bytes_NP=QQSTNPDB Get_Bytes_P=QQSTPDB Browse=QQSTBRWS
        Browse_P=QQSTPBR Browse_NP=QQSTNPBR Browse_Bytes=QQSTBRWB Browse_Bytes_NP=QQSTNPBB
        Browse_Bytes_P=QQSTPBB Get_Fail=QQSTFLGT Get_Fail_No_Msg=QQSTNMAG Get_Fail_Trunc=QQSTTMFG
        Browse_Fail=QQSTFLBR Browse_Fail_No_Msg=QQSTNMAB Browse_Fail_Trunc=QQSTTMFB Get_Wait_Fail=QQSTFLGW
        Get_Wait_Retry=QQSTRDGW Browse_Wait_Fail=QQSTFLBW Browse_Wait_Retry=QQSTRDBW Input_Count_Max=QQSTIPHI
        Input_Count_Min=QQSTIPLO Output_Count_Max=QQSTOPHI Output_Count_Min=QQSTOPLO Open=QQSTOPEN
        Close=QQSTCLOS Inq=QQSTINQR Set=QQSTSET Expired=QQSTEXPR Fast_Put_Messages=QQSTFPTC
        Fast_Put_Bytes=QQSTFPTB Rollback_Put=QQSTRBPT Rollback_Get=QQSTRBGT Put_Fail=QQSTFLPT Put1_Fail=QQSTFLP1
        Streamed=QQSTSTRM Get_Signal_Accepted=QQSTSAGT Browse_Signal_Accepted=QQSTSABR Otel_Prop_Put=QQSTOCPA
        Otel_Prop_Get=QQSTOCGA Otel_Disc_Put=QQSTOAHC Otel_Inval_Put=QQSTOCPD Otel_Max_Props_Put=QQSTOCMP
        Otel_Inval_Get=QQSTOCGD Otel_State_Trunc_Put=QQSTOCPS Otel_State_Trunc_Get=QQSTOCGS
        Otel_Spans_Consumer=QQSTOSCS Otel_Spans_Producer=QQSTOSPS Otel_Nosample_Put=QQSTOSNS
        Otel_Disc_Get=QQSTOCDA Otel_Span_Limit_Producer=QQSTOSPL Otel_Span_Limit_Consumer=QQSTOSCL
        Otel_Span_Limit_Storage=QQSTOSFS
    """,
    "QSGM": """
        Length_Total=QSGMLVTOT New_Records=QSGMLVNEW Length_Max=QSGMLVMAX Length_Min=QSGMLVMIN
        Requests=QSGMCOUNT Storage_Class=QSGMSCLS CSECT=QSGMCSECT CSECT_Offset=QSGMOFFSET
    """,
    "QSPH": """
        Current_Size=QSPHSTOR Previous_Size=QSPHOSTOR Expansion_Size=QSPHXSTOR Record_Size=QSPHBSIZE
        Records_per_Segment=QSPHBCNT PHB_Count=QSPHCOUNT Dataspace_Name=QSPHDSPNM Name=QSPHNAME
        Attr_Fixed=QSPHFLAGS:yes:0x80 Attr_Glob=QSPHFLAGS:yes:0x40 Attr_DSP=QSPHFLAGS:yes:0x20
        Attr_IVSA=QSPHFLAGS:yes:0x10 Attr_64BIT=QSPHFLAGS:yes:0x08
    """,
    "QSRS": """
        PHB_Global_Fixed=QSRSPHBGF PHB_Global_Variable=QSRSPHBGV PHB_Local_Fixed=QSRSPHBLF
        PHB_Local_Variable=QSRSPHBLV GMB_Total=QSRSGMBT Stack_Total=QSRSSTKT Region_24_Start=QSRSSTRTA
        Region_24_Size=QSRSSIZA Region_24_Top=QSRSCRGTP Region_24_Limit=QSRSLIMIT User_24_Alloc=QSRSLOAL
        User_24_Alloc_Previous=QSRSOLOAL System_24_Alloc=QSRSHIAL System_24_Alloc_Previous=QSRSOHIAL
        SMF_24_Limit=QSRSSMFL SMF_24_Average=QSRSSMFR Region_31_Start=QSRSESTRA Region_31_Size=QSRSESIZA
        Region_31_Top=QSRSERGTP Region_31_Limit=QSRSELIM User_31_Alloc=QSRSELOAL
        User_31_Alloc_Previous=QSRSOELOAL System_31_Alloc=QSRSEHIAL System_31_Alloc_Previous=QSRSOEHIAL
        SMF_31_Limit=QSRSSMFEL SMF_31_Average=QSRSSMFER MemLimit=QSRSMEMLIM Total_Object_Size=QSRSABYTES
        High_Water_Usable=QSRSGBYTES Object_Allocated=QSRSNMOMB MemLimit_Source=QSRSMEMLIMS RAX_Frames=QSRSFMCT
        Avail_31=QSRSAVAL MVS_31_Reserved=QSRSMVS CRIT_31_Reserved=QSRSCRIT SOS_31_Reserved=QSRSSOS
        Avail_64=QSRSAVAL64 Cushion_64=QSRSCUSH64 SMDS_64=QSRSSMDS64 PHB_Latch_Global_Fixed=QSRSPHBLGF
        PHB_Latch_Global_Variable=QSRSPHBLGV PHB_Latch_Local_Fixed=QSRSPHBLLF
        PHB_Latch_Local_Variable=QSRSPHBLLV GMB_Latch=QSRSGMBL
    """,
    "QSST": """
        Fixed_Pools_Alloc=QSSTGPLF Fixed_Pools_Freed=QSSTFPLF Fixed_Pools_Seg_Freed=QSSTFREF
        Fixed_Pools_Seg_Expand=QSSTEXPF Fixed_Pools_Seg_Contract=QSSTCONF Var_Pools_Alloc=QSSTGPLV
        Var_Pools_Freed=QSSTFPLV Var_Pools_Seg_Freed=QSSTFREV Var_Pools_Seg_Expand=QSSTEXPV
        Var_Pools_Seg_Contract=QSSTCONV Getmain_Count=QSSTGETM Freemain_Count=QSSTFREM
        Nonzero_Return_Code=QSSTRCNZ SOS_Contractions=QSSTCONT SOS_Set=QSSTCRIT SOS_Abend=QSSTABND
    """,
    "QTST": """
        Total_Subs_Count=QTSTSTOT Durable_Subs_Count=QTSTSDUR Subs_High_Water_API=QTSTSHIG
        Subs_High_Water_Admin=QTSTSHIG Subs_High_Water_Proxy=QTSTSHIG Subs_Low_Water_API=QTSTSLOW
        Subs_Low_Water_Admin=QTSTSLOW Subs_Low_Water_Proxy=QTSTSLOW Subs_Expired=QTSTSEXP
        Total_Published_Msg=QTSTTMSG Single_Sub_High_Water=QTSTSPHW Pubs_Total_API=QTSTPTOT
        Pubs_Total_Admin=QTSTPTOT Pubs_Total_Proxy=QTSTPTOT Pubs_High_Water=QTSTPTHI Pubs_Low_Water=QTSTPTLO
        Pubs_No_Subscriber=QTSTPNOS Publish_Elapsed_High_Water=QTSTETHW Publish_Elapsed_Total=QTSTETTO
    """,
    "QCST": """
        Collection_Time=QCSTCLTM Chl_Name=QCSTCHNM Disposition=QCSTCHDP Type=QCSTCHTY Status=QCSTCHST
        Stat_Setting=QCSTSTCL Connection_Name=QCSTCNNM Start=QCSTSTRT Stop=QCSTLUDT Last_Msg=QCSTLMST
        BatchSize=QCSTCBSZ Msg_All_Count=QCSTNMSG Msg_Persistent_Count=QCSTNPMG Batches=QCSTBATC
        Full_Batches=QCSTFUBA Buffers_Sent=QCSTBFST Buffers_Rcvd=QCSTBFRC Current_Shared_Convs=QCSTCSCV
        Number_Bytes=QCSTNBYT Number_Persistent_Bytes=QCSTNPBY Bytes_Sent=QCSTBYST Bytes_Received=QCSTBYRC
        Compression_Rate=QCSTCPRA Exit_Time_Avg=QCSTETAV Exit_Time_Min=QCSTETMN Exit_Time_Max=QCSTETMX
        Exit_Time_Max_Date=QCSTETDT DNS_Resolution_Time=QCSTDNRT Net_Time_Avg=QCSTNTAV Net_Time_Min=QCSTNTMN
        Net_Time_Max=QCSTNTMX Net_Time_Max_Date=QCSTNTDT Remote_QMgr_Or_App=QCSTRQMN SSL_Peer_Serial=QCSTSLSN
        SSL_CERTI=QCSTSLCN SSL_CipherSuite=QCSTSLCS Put_Retry_Count=QCSTPTRC XmitQ_Empty_Count=QCSTQETC
        Batch_Interval=QCSTCBIT Batch_Data_Limit=QCSTCBDL Dispatcher_Number=QCSTDSPN Remote_Product_ID=QCSTRPID
        Remote_Product_Version=QCSTRVER
    """,
    "QMAC": """
        Authorisation_ID=QWHCAID Correl_ID=QWHCCV Connection_Name=QWHCCN Operator_ID=QWHCOPID
        Application_Type=QWHCATYP Accounting_Token=QWHCTOKN Network_ID=QWHCNID CPU_Time=QMACCPUT
        Puts_Len_0to99=QMACPUTA Puts_Len_100to999=QMACPUTB Puts_Len_1000to9999=QMACPUTC Puts_Len_10000=QMACPUTD
        Gets_Len_0to99=QMACGETA Gets_Len_100to999=QMACGETB Gets_Len_1000to9999=QMACGETC Gets_Len_10000=QMACGETD
    """,
    "WQ": """
        Correlation=CORREL Open_Name=OBJNAME Base_Name=BASENAME Open=OPENTIME Close=CLOSTIME Queue=QTYPE
        Index=INDXTYPE Scope=QSGDISP Open_ET=OPENET Open_CT=OPENCT Open_Count=OPENN Close_ET=CLOSEET
        Close_CT=CLOSECT Close_Count=CLOSEN Get_ET=GETET Get_CT=GETCT Get_Count=GETN
        Get_Browse_Any_Count=GETBRWA Get_Browse_Specific_Count=GETBRWS Get_Dest_Any_Count=GETA
        Get_Dest_Specific_Count=GETS Get_Invalid=GETERR Get_Log_UNF_ET=GETJWET Get_Log_UNF_Count=GETJWN
        Get_Pageset_ET=GETPSET Get_Pageset_Count=GETPSN Get_Suspend_ET=GETSUSET Get_Suspend_Count=GETSUSN
        Get_Pages_Skipped_Count=GETEPAGE Get_Messages_Skipped_Count=GETSMSG Get_Messages_Expired_Count=GETEXMSG
        Put_ET=PUTET Put_CT=PUTCT Put_Count=PUTN Put_IGQ_Count=PUTIGQ Put_Log_UNF_ET=PUTJWET
        Put_Log_UNF_Count=PUTJWN Put_Suspend_ET=PUTSUSET Put_Suspend_Count=PUTSUSN Put_Pageset_Access_ET=PUTPSET
        Put_Pageset_Access_Count=PUTPSN Put1_ET=PUT1ET Put1_CT=PUT1CT Put1_Count=PUT1N Put1_IGQ_Count=PUT1IGQ
        Put1_Log_UNF_ET=PUT1JWET Put1_Log_UNF_Count=PUT1JWN Put1_Suspend_ET=PUT1SUSET
        Put1_Suspend_Count=PUT1SUSN Put1_Pageset_Access_ET=PUT1PSET Put1_Pageset_Access_Count=PUT1PSN
        Inq_ET=INQET Inq_CT=INQCT Inq_Count=INQN Set_ET=SETET Set_CT=SETCT Set_Count=SETN Set_UNF_Log_ET=SETJWET
        Set_UNF_Log_Count=SETJWN Pageset_ID=NPS CF_Structure=CFSTRUCNAME BufferPool_ID=NBUFFPOOL
        Total_Bytes_Put=PUTBYTES Total_Bytes_Get=GETBYTES Total_Valid_Puts=VALIDPUT Total_Valid_Gets=VALIDGET
        Generated_Msgs=NGEN Get_Max_Msg_Size=GETMAXMS Get_Min_Msg_Size=GETMINMS Put_Max_Msg_Size=PUTMAXMS
        Put_Min_Msg_Size=PUTMINMS Max_Time_On_Queue=MAXLATNT Min_Time_On_Queue=MINLATNT
        Total_Time_On_Queue=TOTLATNT Use_Count=USE_COUNT Total_Use=TOTAL_USE Get_Persistent_Count=GETPMSG
        Put_Persistent_Count=PUTPMSG Put1_Persistent_Count=PUT1PMSG Max_Depth=MAXQDPTH Get_Valid=GETDVAL
        Get_LogForce_ET=GETJCET Get_LogForce_Count=GETJCN Put_Waiting_Getter_Count=PUTPWG
        Put_LogForce_ET=PUTJCET Put_LogForce_Count=PUTJCN Put1_Waiting_Getter_Count=PUT1PWG
        Put1_LogForce_ET=PUT1JCET Put1_LogForce_Count=PUT1JCN Set_LogForce_ET=SETJCET Set_LogForce_Count=SETJCN
        Put_Shared_Queue=PUTDSQ Select_Count=SELCOUNT Select_Max_Length=SELMAXLN CallBack_ET=CBET
        CallBack_CT=CBCT CallBack_Count=CBN Open_Suspend_Time=OPENSUET Open_Suspend_Count=OPENSUN
        Close_Suspend_Time=CLOSESUET Close_Suspend_Count=CLOSESUN Open_NoCF=OPENCF0 Close_NoCF=CLOSECF0 @MQCFREQ
        Published_Count=PUBLISHEDN TopicOnSRB_Open=TOPICOPENSRB TopicOnSRB_Put=TOPICPUTSRB
        TopicOnSRB_Put1=TOPICPUT1SRB TopicOnSRB_Close=TOPICCLOSESRB Put_Delay_Count=PUTDDLY
        Streamed_Msgs=STREAMEDN
    """,
    "WTAS": """
        Record_Version=WTASVER Correl=#correlator Start_Time=WTASSTRT Block_Count=WTASWQCT @latches
        Longest_Latch=WTASLOWN Other_MQI_ET=WTASOTET Other_MQI_CT=WTASOTCT Other_MQI_Count=WTASOTN
        Max_Latch_Wait_Time=WTASMLW Max_Latch_Wait_ID=WTASMLWN Commit_ET=WTASCMET Commit_CT=WTASCMCT
        Commit_Count=WTASCMN Backout_ET=WTASBAET Backout_CT=WTASBACT Backout_Count=WTASBAN
        Journal_Write_ET=WTASJWET Journal_Write_Count=WTASJWN Journal_Write_Bytes=WTASJWB
        Journal_Forced_Write_ET=WTASJCET Journal_Forced_Write_Count=WTASJCN Task_Suspend_Count=WTASSUSN
        Task_Suspend_Time=WTASSUSE Pageset0_Log_ET=WTASPSE0 Pageset0_Log_Count=WTASPSN0
        DB2_Elapse_Thread=WTASDBET DB2_Elapse_Server=WTASDBES DB2_Max_Elapse_Thread=WTASDBMT
        DB2_Max_Elapse_Server=WTASDBMS DB2_Request_Count=WTASDBCT DB2_Bytes_Written=WTASDBPT
        DB2_Bytes_Read=WTASDBGT CF_STE_Call_Count=WTASCSEC CF_STM_Call_Count=WTASCMEC
        CF_STE_Redrive_Count=WTASRSEC CF_STM_Redrive_Count=WTASRMEC CF_STE_Elapsed=WTASSSTC
        CF_STM_Elapsed=WTASMSTC WTAS_Interval_Start=WTASINTS WTAS_Interval_End=WTASINTE Get_Pages_Old=WTASGPO
        Get_Pages_New=WTASGPN BufferPool_Latch_Wait=WTASPBHW Held_BufferPool_Latch_ET=WTASPBTT Topic_ET=WTASTPET
        Topic_CT=WTASTPCT Subscribe_ET=WTASSUET Subscribe_CT=WTASSUCT Subscribe_Count=WTASSUN
        Subscribe_Selector_Count=WTASSUSC Subscribe_Max_Select_Len=WTASSUSL SubReq_ET=WTASSQET
        SubReq_CT=WTASSQCT SubReq_Count=WTASSQN MQCTL_ET=WTASCTET MQCTL_CT=WTASCTCT MQCTL_Count=WTASCTN
        MQCTL_CPU=WTASCTSR MQSTAT_ET=WTASSTET MQSTAT_CT=WTASSTCT MQSTAT_Count=WTASSTN @COMMITCF @PREPCF
        SMDS_Write_Bytes=WTASSMWB SMDS_Read_Bytes=WTASSMRB SMDS_Write_Pages=WTASSMWP SMDS_Read_Pages=WTASSMRP
        SMDS_Saved_Reads=WTASSMRS SMDS_IO_Wait_Time=WTASSMWT Prepare_ET=WTASPRET Prepare_CT=WTASPRCT
        Prepare_Count=WTASPRN @longest
    """,
    "WTID": """
        WTAS_Correlator=#correlator Appl_Type=WTIDATYP Connection_Name=WTIDCCN Operator_ID=WTIDOPID NID=WTIDNID
        Correl(HEX)=WTIDCORI Correl(CHAR)=WTIDCORI:char UOW_ID=WTIDUOWI Accounting_Token=WTIDACCT
        Channel_Name=WTIDCHL Channel_Connection_Name=WTIDCHLC Context_Token=WTIDCTXT MVS_UserId=WTIDTRAN
    """,
}
