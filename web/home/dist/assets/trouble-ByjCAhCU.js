var e=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),t=e((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.portal`),r=Symbol.for(`react.fragment`),i=Symbol.for(`react.strict_mode`),a=Symbol.for(`react.profiler`),o=Symbol.for(`react.consumer`),s=Symbol.for(`react.context`),c=Symbol.for(`react.forward_ref`),l=Symbol.for(`react.suspense`),u=Symbol.for(`react.memo`),d=Symbol.for(`react.lazy`),f=Symbol.for(`react.activity`),ee=Symbol.for(`react.view_transition`),p=Symbol.iterator;function m(e){return typeof e!=`object`||!e?null:(e=p&&e[p]||e[`@@iterator`],typeof e==`function`?e:null)}var h={isMounted:function(){return!1},enqueueForceUpdate:function(){},enqueueReplaceState:function(){},enqueueSetState:function(){}},te=Object.assign,g={};function _(e,t,n){this.props=e,this.context=t,this.refs=g,this.updater=n||h}_.prototype.isReactComponent={},_.prototype.setState=function(e,t){if(typeof e!=`object`&&typeof e!=`function`&&e!=null)throw Error(`takes an object of state variables to update or a function which returns an object of state variables.`);this.updater.enqueueSetState(this,e,t,`setState`)},_.prototype.forceUpdate=function(e){this.updater.enqueueForceUpdate(this,e,`forceUpdate`)};function v(){}v.prototype=_.prototype;function y(e,t,n){this.props=e,this.context=t,this.refs=g,this.updater=n||h}var ne=y.prototype=new v;ne.constructor=y,te(ne,_.prototype),ne.isPureReactComponent=!0;var re=Array.isArray;function b(){}var x={H:null,A:null,T:null,S:null},S=Object.prototype.hasOwnProperty;function C(e,n,r){var i=r.ref;return{$$typeof:t,type:e,key:n,ref:i===void 0?null:i,props:r}}function w(e,t){return C(e.type,t,e.props)}function T(e){return typeof e==`object`&&!!e&&e.$$typeof===t}function E(e){var t={"=":`=0`,":":`=2`};return`$`+e.replace(/[=:]/g,function(e){return t[e]})}var D=/\/+/g;function O(e,t){return typeof e==`object`&&e&&e.key!=null?E(``+e.key):t.toString(36)}function k(e){switch(e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason;default:switch(typeof e.status==`string`?e.then(b,b):(e.status=`pending`,e.then(function(t){e.status===`pending`&&(e.status=`fulfilled`,e.value=t)},function(t){e.status===`pending`&&(e.status=`rejected`,e.reason=t)})),e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason}}throw e}function A(e,r,i,a,o){var s=typeof e;(s===`undefined`||s===`boolean`)&&(e=null);var c=!1;if(e===null)c=!0;else switch(s){case`bigint`:case`string`:case`number`:c=!0;break;case`object`:switch(e.$$typeof){case t:case n:c=!0;break;case d:return c=e._init,A(c(e._payload),r,i,a,o)}}if(c)return o=o(e),c=a===``?`.`+O(e,0):a,re(o)?(i=``,c!=null&&(i=c.replace(D,`$&/`)+`/`),A(o,r,i,``,function(e){return e})):o!=null&&(T(o)&&(o=w(o,i+(o.key==null||e&&e.key===o.key?``:(``+o.key).replace(D,`$&/`)+`/`)+c)),r.push(o)),1;c=0;var l=a===``?`.`:a+`:`;if(re(e))for(var u=0;u<e.length;u++)a=e[u],s=l+O(a,u),c+=A(a,r,i,s,o);else if(u=m(e),typeof u==`function`)for(e=u.call(e),u=0;!(a=e.next()).done;)a=a.value,s=l+O(a,u++),c+=A(a,r,i,s,o);else if(s===`object`){if(typeof e.then==`function`)return A(k(e),r,i,a,o);throw r=String(e),Error(`Objects are not valid as a React child (found: `+(r===`[object Object]`?`object with keys {`+Object.keys(e).join(`, `)+`}`:r)+`). If you meant to render a collection of children, use an array instead.`)}return c}function j(e,t,n){if(e==null)return e;var r=[],i=0;return A(e,r,``,``,function(e){return t.call(n,e,i++)}),r}function M(e){if(e._status===-1){var t=e._result,n=t();n.then(function(t){(e._status===0||e._status===-1)&&(e._status=1,e._result=t,n.status===void 0&&(n.status=`fulfilled`,n.value=t))},function(t){(e._status===0||e._status===-1)&&(e._status=2,e._result=t,n.status===void 0&&(n.status=`rejected`,n.reason=t))}),e._status===-1&&(e._status=0,e._result=n)}if(e._status===1)return e._result.default;throw e._result}var N=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)};function P(e){var t=x.T,n={};n.types=t===null?null:t.types,x.T=n;try{var r=e(),i=x.S;i!==null&&i(n,r),typeof r==`object`&&r&&typeof r.then==`function`&&r.then(b,N)}catch(e){N(e)}finally{t!==null&&n.types!==null&&(t.types=n.types),x.T=t}}function ie(e){var t=x.T;if(t!==null){var n=t.types;n===null?t.types=[e]:n.indexOf(e)===-1&&n.push(e)}else P(ie.bind(null,e))}var ae={map:j,forEach:function(e,t,n){j(e,function(){t.apply(this,arguments)},n)},count:function(e){var t=0;return j(e,function(){t++}),t},toArray:function(e){return j(e,function(e){return e})||[]},only:function(e){if(!T(e))throw Error(`React.Children.only expected to receive a single React element child.`);return e}};e.Activity=f,e.Children=ae,e.Component=_,e.Fragment=r,e.Profiler=a,e.PureComponent=y,e.StrictMode=i,e.Suspense=l,e.ViewTransition=ee,e.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=x,e.__COMPILER_RUNTIME={__proto__:null,c:function(e){return x.H.useMemoCache(e)}},e.addTransitionType=ie,e.cache=function(e){return function(){return e.apply(null,arguments)}},e.cacheSignal=function(){return null},e.cloneElement=function(e,t,n){if(e==null)throw Error(`The argument must be a React element, but you passed `+e+`.`);var r=te({},e.props),i=e.key;if(t!=null)for(a in t.key!==void 0&&(i=``+t.key),t)!S.call(t,a)||a===`key`||a===`__self`||a===`__source`||a===`ref`&&t.ref===void 0||(r[a]=t[a]);var a=arguments.length-2;if(a===1)r.children=n;else if(1<a){for(var o=Array(a),s=0;s<a;s++)o[s]=arguments[s+2];r.children=o}return C(e.type,i,r)},e.createContext=function(e){return e={$$typeof:s,_currentValue:e,_currentValue2:e,_threadCount:0,Provider:null,Consumer:null},e.Provider=e,e.Consumer={$$typeof:o,_context:e},e},e.createElement=function(e,t,n){var r,i={},a=null;if(t!=null)for(r in t.key!==void 0&&(a=``+t.key),t)S.call(t,r)&&r!==`key`&&r!==`__self`&&r!==`__source`&&(i[r]=t[r]);var o=arguments.length-2;if(o===1)i.children=n;else if(1<o){for(var s=Array(o),c=0;c<o;c++)s[c]=arguments[c+2];i.children=s}if(e&&e.defaultProps)for(r in o=e.defaultProps,o)i[r]===void 0&&(i[r]=o[r]);return C(e,a,i)},e.createRef=function(){return{current:null}},e.forwardRef=function(e){return{$$typeof:c,render:e}},e.isValidElement=T,e.lazy=function(e){return{$$typeof:d,_payload:{_status:-1,_result:e},_init:M}},e.memo=function(e,t){return{$$typeof:u,type:e,compare:t===void 0?null:t}},e.startTransition=P,e.unstable_useCacheRefresh=function(){return x.H.useCacheRefresh()},e.use=function(e){return x.H.use(e)},e.useActionState=function(e,t,n){return x.H.useActionState(e,t,n)},e.useCallback=function(e,t){return x.H.useCallback(e,t)},e.useContext=function(e){return x.H.useContext(e)},e.useDebugValue=function(){},e.useDeferredValue=function(e,t){return x.H.useDeferredValue(e,t)},e.useEffect=function(e,t){return x.H.useEffect(e,t)},e.useEffectEvent=function(e){return x.H.useEffectEvent(e)},e.useId=function(){return x.H.useId()},e.useImperativeHandle=function(e,t,n){return x.H.useImperativeHandle(e,t,n)},e.useInsertionEffect=function(e,t){return x.H.useInsertionEffect(e,t)},e.useLayoutEffect=function(e,t){return x.H.useLayoutEffect(e,t)},e.useMemo=function(e,t){return x.H.useMemo(e,t)},e.useOptimistic=function(e,t){return x.H.useOptimistic(e,t)},e.useReducer=function(e,t,n){return x.H.useReducer(e,t,n)},e.useRef=function(e){return x.H.useRef(e)},e.useState=function(e){return x.H.useState(e)},e.useSyncExternalStore=function(e,t,n){return x.H.useSyncExternalStore(e,t,n)},e.useTransition=function(){return x.H.useTransition()},e.version=`19.3.1`})),n=e(((e,n)=>{n.exports=t()})),r=n();function i(e){let t=e,n=new Set;return{get:()=>t,set(e){if(!Object.is(e,t)){t=e;for(let e of[...n])e()}},watch(e){return n.add(e),()=>n.delete(e)}}}function a(e){return(0,r.useSyncExternalStore)(e.watch,e.get)}function o(e,t){try{return e().getItem(t)??``}catch{return``}}function s(e,t,n){try{n===``?e().removeItem(t):e().setItem(t,n)}catch{}}var c=()=>window.sessionStorage,l=()=>window.localStorage;function u(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function d(e){return u(e)===`object`}function f(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function ee(e,t){return e.length<124?e:t}var p=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(p||{}),m=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(m||{});function h(e){if(!d(e))throw Error(`Message is expected to be an object, but got ${u(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${u(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!d(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${u(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!d(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${u(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${u(e.payload.query)}`);if(e.payload.variables!=null&&!d(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${u(e.payload.variables)}`);if(e.payload.operationName!=null&&u(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${u(e.payload.operationName)}`);if(e.payload.extensions!=null&&!d(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${u(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${u(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!d(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${u(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${u(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!f(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${u(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function te(e,t){return h(typeof e==`string`?JSON.parse(e,t):e)}function g(e,t){return h(e),JSON.stringify(e,t)}function _(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:c=0,retryAttempts:l=5,retryWait:u=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:d=y,on:f,webSocketImpl:h,generateID:_=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:b,jsonMessageReviver:x}=e,S;if(h){if(!re(h))throw Error(`Invalid WebSocket implementation provided`);S=h}else typeof WebSocket<`u`?S=WebSocket:typeof global<`u`?S=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(S=window.WebSocket||window.MozWebSocket);if(!S)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let C=S,w=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:f?.connecting?[f.connecting]:[],opened:f?.opened?[f.opened]:[],connected:f?.connected?[f.connected]:[],ping:f?.ping?[f.ping]:[],pong:f?.pong?[f.pong]:[],message:f?.message?[e.emit,f.message]:[e.emit],closed:f?.closed?[f.closed]:[],error:f?.error?[f.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function T(e){let t=[w.on(`error`,n=>{t.forEach(e=>e()),e(n)}),w.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let E,D=0,O,k=!1,A=0,j=!1;async function M(){clearTimeout(O);let[e,r]=await(E??=new Promise((e,r)=>(async()=>{if(k){if(await u(A),!D)return E=void 0,r({code:1e3,reason:`All Subscriptions Gone`});A++}w.emit(`connecting`,k);let i=new C(typeof t==`function`?await t():t,`graphql-transport-ws`),a,l;function d(){isFinite(o)&&o>0&&(clearTimeout(l),l=setTimeout(()=>{i.readyState===C.OPEN&&(i.send(g({type:m.Ping})),w.emit(`ping`,!1,void 0))},o))}T(e=>{E=void 0,clearTimeout(a),clearTimeout(l),r(e),e instanceof v&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>w.emit(`error`,e),i.onclose=e=>w.emit(`closed`,e),i.onopen=async()=>{try{w.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==C.OPEN)return;i.send(g(e?{type:m.ConnectionInit,payload:e}:{type:m.ConnectionInit},b)),isFinite(c)&&c>0&&(a=setTimeout(()=>{i.close(p.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},c)),d()}catch(e){w.emit(`error`,e),i.close(p.InternalClientError,ee(e instanceof Error?e.message:String(e),`Internal client error`))}};let f=!1;i.onmessage=({data:t})=>{try{let n=te(t,x);if(w.emit(`message`,n),n.type===`ping`||n.type===`pong`){w.emit(n.type,!0,n.payload),n.type===`pong`?d():s||(i.send(g(n.payload?{type:m.Pong,payload:n.payload}:{type:m.Pong},b)),w.emit(`pong`,!1,n.payload));return}if(f)return;if(n.type!==m.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),f=!0,w.emit(`connected`,i,n.payload,k),k=!1,A=0;let r=new Promise((e,t)=>T(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,w.emit(`error`,e),i.close(p.BadResponse,ee(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===C.CLOSING&&await r;let i=()=>{},l=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=T(n);e.readyState!==C.OPEN&&r.catch(n),l.then(()=>{if(i(),!D){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(O),O=setTimeout(()=>{!D&&e.readyState===C.OPEN&&t()},a)):t()}t()})})]}function N(e){if(y(e)&&(ne(e.code)||[p.InternalServerError,p.InternalClientError,p.BadRequest,p.BadResponse,p.Unauthorized,p.SubprotocolNotAcceptable,p.SubscriberAlreadyExists,p.TooManyInitialisationRequests].includes(e.code)))throw e;if(j)return!1;if(y(e)&&e.code===1e3)return D>0;if(!l||A>=l||!d(e))throw e;return k=!0}r||(async()=>{for(D++;;)try{let[,,e]=await M();await e}catch(e){try{if(!N(e))return}catch(e){return i?.(e)}}})();function P(e,t){let n=_(e),r=!1,i=!1,a=()=>{D--,r=!0};return(async()=>{for(D++;;)try{let[o,s,c]=await M();if(r)return c.catch(()=>{}),s();let l=w.onMessage(n,e=>{switch(e.type){case m.Next:t.next(e.payload);return;case m.Error:i=!0,r=!0,t.error(e.payload),a();return;case m.Complete:r=!0,a();return}});o.send(g({id:n,type:m.Subscribe,payload:e},b)),a=()=>{!r&&o.readyState===C.OPEN&&o.send(g({id:n,type:m.Complete},b)),D--,r=!0,s()},await c.finally(l);return}catch(e){if(!N(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:w.on,subscribe:P,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=P(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(j=!0,E){let[e]=await E;e.close(1e3,`Normal Closure`)}},terminate(){E&&w.emit(`closed`,new v)}}}var v=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function y(e){return d(e)&&`code`in e&&`reason`in e}function ne(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function re(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var b=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new b(`
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
    `,{fragmentName:`TaskRow`}),new b(`
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
    `,{fragmentName:`EventBlock`}),new b(`
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}
    `,{fragmentName:`MailRow`}),new b(`
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
    `,{fragmentName:`Ask`}),new b(`
    fragment Done on Action {
  id
  summary
  undoable
}
    `,{fragmentName:`Done`}),new b(`
    fragment Refusal on UserError {
  code
  message
  field
}
    `,{fragmentName:`Refusal`});var x=new b(`
    query Actions($after: String) {
  actions(first: 30, after: $after) {
    nodes {
      ...Done
      kind
      at
      via
      token
      client
      undone
      undoUntil
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}`,{hash:`sha256:3bddc9de5be498fc926cd539d0e74ad7d88fd721af833ddf12dc3c14d90123b3`}),S=new b(`
    query Shell {
  changes(first: 1) {
    latestCursor
  }
  viewer {
    id
    email
    now
    scopes
    settings {
      timeZone
      locale
      weekStart
    }
    connections {
      id
      provider
      account
      status
      standIn
      connectUrl
    }
  }
}
    `,{hash:`sha256:e0346df469b153fe28e811a7b9b9bf05a9131821dfaee78ea51c8971e62b1ae2`}),C=new b(`
    query Latest {
  changes(first: 1) {
    latestCursor
  }
}
    `,{hash:`sha256:4ae8f9df5de39229b07e8fd275334e5f3147f6d8e01407a287c4855d35dc53b4`}),w=new b(`
    subscription Changed($after: String) {
  changed(after: $after) {
    cursor
    type
    operation
    node {
      ... on Task {
        id
        text
      }
    }
  }
}
    `,{hash:`sha256:d983496799c2e117d2047e341f23f8345fe30468629aa57b99cfd7509c4225f6`}),T=new b(`
    mutation Undo($input: UndoActionInput!) {
  undoAction(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:b3e04725e093d1a2db17ce16528a0afe858b27252041f8a8e4ce2bb003d464c0`}),E=new b(`
    query Board {
  tasks(first: 1) {
    categorized {
      counts {
        overdue
        today
        upcoming
        recurring
        noDueDate
      }
    }
  }
  categories(first: 100) {
    name
    open
  }
  without: tasks(filter: {category: ""}, first: 1) {
    totalCount
  }
}
    `,{hash:`sha256:710ab3e4c3a078a59991c84ef9c1958cfdce608ef94e1b89c1430e949b4b13cf`}),D=new b(`
    query BoardPage($filter: TaskFilter!, $order: TaskOrderField!, $first: Int!, $after: String) {
  tasks(filter: $filter, orderBy: {field: $order}, first: $first, after: $after) {
    nodes {
      ...TaskRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`,{hash:`sha256:50390e316f565f6748ed8c5eafa799ecfb8e86ecfef552360e40809d6fc057fb`}),O=new b(`
    query Day($from: DateTime!, $to: DateTime!, $overdue: Boolean!) {
  agenda(from: $from, to: $to, first: 100, includeOverdue: $overdue) {
    counts {
      events
      tasks
      emails
    }
    notes {
      kind
      code
      message
      account
      connectUrl
    }
    pageInfo {
      hasNextPage
    }
    entries {
      cursor
      kind
      at {
        dateTime
        date
      }
      end {
        dateTime
        date
      }
      title
      atFormatted
      isAllDay
      isOverdue
      node {
        __typename
        ... on Task {
          ...TaskRow
        }
        ... on Event {
          ...EventBlock
        }
        ... on Email {
          ...MailRow
        }
      }
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`,{hash:`sha256:98177a0ce50cf09bf58fedc51a0ada06e8b65fa0e1cae9626cf37ea2d5e38d66`}),k=new b(`
    query Free($from: DateTime!, $to: DateTime!) {
  freeBusy(timeMin: $from, timeMax: $to) {
    free(atLeast: "PT30M", dayStart: "09:00", dayEnd: "18:00", first: 20) {
      start
      end
    }
  }
}
    `,{hash:`sha256:0e8b7c6e059926dd230a208eeb7f21ec3b41351198a216f38eb5cd78b1fc7fd2`}),A=new b(`
    query Entities($q: String) {
  knowledge {
    nodes(query: $q, first: 50) {
      totalCount
      nodes {
        id
        name
        type
        summary
      }
    }
  }
}
    `,{hash:`sha256:a45e69e15f09559709a6bc236b70f52745a55eceadcd27d9ef879de00ddc6f4c`}),j=new b(`
    query Walk($id: ID!, $asOf: DateTime) {
  knowledge {
    entity(id: $id) {
      id
      name
      type
      summary
      neighbours(depth: 2, asOf: $asOf, first: 30) {
        truncated
        neighbours {
          distance
          entity {
            id
            name
            type
          }
          via {
            id
            relation
            fact
            source {
              id
            }
            target {
              id
            }
          }
        }
      }
      facts(asOf: $asOf, first: 25) {
        id
        fact
        validAt
        invalidAt
      }
    }
  }
}
    `,{hash:`sha256:17ef77efb0abcb9bd211ba8b21e31028d375f449e02dc9a0ac5bd3eff057bd5a`}),M=new b(`
    query FactTimes {
  knowledge {
    facts(first: 100, includeInvalidated: true) {
      nodes {
        validAt
        invalidAt
      }
    }
  }
}
    `,{hash:`sha256:a9c432dde3b67e69fd0e617cd3379f44ac073bf4f4703c927bda186f8fb8b739`}),N=new b(`
    query Inbox($after: String) {
  emails(filter: {label: "INBOX"}, first: 40, after: $after) {
    nodes {
      ...MailRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`,{hash:`sha256:f213729927eaae0ef088d3b731c2267797146175592277687e47fa787af6a416`}),P=new b(`
    query Lists {
  lists(first: 50) {
    nodes {
      id
      name
      isChecklist
      items {
        id
        text
        checked
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `,{hash:`sha256:998b977940d03ded26086d47a267793ace551d20ff1021cc74851d6fa975907e`}),ie=new b(`
    mutation AddList($input: CreateListInput!) {
  createList(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:bcd8fe947b58f3dfa708ae8ad7e8d24fa047ef9ca933fb79e5c123804f08e534`}),ae=new b(`
    mutation SetItems($input: UpdateListItemsInput!) {
  updateListItems(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:9820b6374f9abb7c86f8db18bbdd98d7ef1f0fface5507e3c551a19e68afd3d3`}),oe=new b(`
    mutation DeleteList($input: DeleteListInput!) {
  deleteList(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:be9cd42f966ea693100f65064281028245e22a7ab1d235041202693437cff45a`}),se=new b(`
    query Memories {
  memories(first: 20) {
    nodes {
      id
      type
      content
      tags
    }
  }
}
    `,{hash:`sha256:6254aaa98c5c1af2378db4095caa957f7f3c8761c998d28670a9a07b77ea4702`}),ce=new b(`
    query Recall($q: String!) {
  searchMemories(query: $q, first: 20) {
    edges {
      score
      similarity
      keywordScore
      matchedBy
      node {
        id
        type
        content
        tags
      }
    }
  }
}
    `,{hash:`sha256:8e1ebfaeaca539795a5b2b3795b5c37c8b33e75b9b37761aa4e820e37dc38723`}),le=new b(`
    query MemoryPane($id: ID!) {
  memory(id: $id) {
    id
    type
    content
    summary
    tags
    version
    updatedAt
    history(first: 20) {
      version
      content
      writtenAt
      reason
    }
  }
}
    `,{hash:`sha256:0871789ef520905cb7f44d9ae2fffd648f22f7524cf7e90e843dc6851a526810`}),ue=new b(`
    mutation SetMemory($input: UpdateMemoryInput!) {
  updateMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:6a740ffc63e5ca07238055bca4fb3684486d049d48ef4249e37dd1f0b9e2aadc`}),de=new b(`
    mutation RestoreMemory($input: RestoreMemoryInput!) {
  restoreMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:1fa17c6d588a813bc6b6004af5f6e3433fa16e43d8e27a67fe3d34424cf63b2f`}),fe=new b(`
    mutation ForgetMemories($input: DeleteMemoriesInput!) {
  deleteMemories(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:f0fa474df2ad9a57fea09823d43442f1ac2960ec602cc7ebfcf0dd5d92c592e4`}),pe=new b(`
    query PushKey {
  pushKey
  pushSubscriptions {
    id
    host
    label
    problem
    disabledAt
  }
}
    `,{hash:`sha256:ecd3353ae01c9c023320926e547d4a6cf63e1ae397c6e1bb7b3124683de57e8a`}),me=new b(`
    mutation RegisterPush($input: RegisterPushInput!) {
  registerPush(input: $input) {
    subscription {
      id
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `,{hash:`sha256:cbd1c081460236045cba8f15cb29ecb088008cb278f9bd9af91068051c7296ea`}),he=new b(`
    mutation RemovePush($input: RemovePushInput!) {
  removePush(input: $input) {
    deletedId
    userErrors {
      code
      message
      field
    }
  }
}
    `,{hash:`sha256:a18fbf9898e0e98900624b499e9c36bf5435e1d0e385628fca127011754592bf`}),ge=new b(`
    mutation TestPush($input: TestPushInput!) {
  testPush(input: $input) {
    delivered
    problem
    userErrors {
      code
      message
      field
    }
  }
}
    `,{hash:`sha256:e131b5b3522642e37705c8049a2adf58dbf5d458418ecfa76b162d867c2f29de`}),_e=new b(`
    query TaskPane($id: ID!) {
  task(id: $id) {
    ...TaskRow
    subtasks {
      id
      text
      completed
    }
    completions(first: 5) {
      completedAt
      occurrence
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`,{hash:`sha256:129f560062d214f5830e5946b66a1661a7afe3a04b1841298e4c2cb83bf0a1fb`}),ve=new b(`
    query EventPane($id: ID!) {
  event(id: $id) {
    ...EventBlock
    description
    recurrenceFormatted
    attendees {
      email
      displayName
      responseStatus
      self
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`,{hash:`sha256:2dbf07704416c49116e05018c851cba34012bc4d3bb3b1cbb28ff569110d593a`}),ye=new b(`
    query MailPane($id: ID!) {
  emailThread(id: $id) {
    id
    subject
    emails {
      ...MailRow
      to {
        name
        email
      }
      body(format: CLEAN) {
        text
        truncated
      }
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`,{hash:`sha256:fc07581b732902c27d79bc9f690a190d5a7df4171bdbd68445e08a3a03a1f0f0`}),be=new b(`
    mutation SetTask($input: UpdateTaskInput!) {
  updateTask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:3a75bedec4b4517bccc39b4f55b9ac3818d8e8ffbeffbb76ae4a26b7a6395aa7`}),xe=new b(`
    mutation DeleteTask($input: DeleteTaskInput!) {
  deleteTask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:3061b0e3501be888ea7cafdb88546536a4536e2cfd9dc620a8059dead973f255`}),Se=new b(`
    mutation AddTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    task {
      id
    }
    existingTask {
      id
      text
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:419de7ae77619e0a5eda4e928055293b78f4e65ce6b490056f7752c50265faf6`}),Ce=new b(`
    mutation AddStep($input: AddSubtaskInput!) {
  addSubtask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:d2e5fb00e275d1e680bc621555f0d538c8d831835e266aba58cb6b2bd0547477`}),we=new b(`
    mutation SetStep($input: UpdateSubtaskInput!) {
  updateSubtask(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:4e8696452df1b4cf8ab68c4e8a03914abaeef391adc82588739406be3ea7eb6a`}),Te=new b(`
    mutation SetEvent($input: UpdateEventInput!) {
  updateEvent(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:39e8a232a0bdfeafd9b7043945a15757eb99bc44e3082446d791b54dba2f898b`}),Ee=new b(`
    mutation DeleteEvent($input: DeleteEventInput!) {
  deleteEvent(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:ff3dcb8c6b37baa78070ce5a2117d1f744706857108dcffc14577c3e06885aef`}),De=new b(`
    mutation MarkMail($input: MarkEmailsInput!) {
  markEmails(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:ef021ea346b4fe740731a44a985a281ed33fda6d5eab6a2301664b73d08d09b3`}),Oe=new b(`
    mutation PreviewAnswer($input: PreviewReplyInput!) {
  previewReply(input: $input) {
    preview {
      id
      hash
      from {
        name
        email
      }
      to {
        name
        email
      }
      cc {
        name
        email
      }
      subject
      body
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:d229f1aaf3998d24f0a6487e506a51843049836308af4b50b7e2ef2a02b01c82`}),ke=new b(`
    mutation SendMail($input: SendEmailInput!) {
  sendEmail(input: $input) {
    state
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:3152182068243a999355a4cf2a4a103aefca7c1fec3ed4ba107614db884d9b3a`}),Ae=new b(`
    mutation Say($input: AgentChatInput!) {
  agentChat(input: $input) {
    tool
    summary
    answer
    success
    plan {
      ambiguous {
        text
        reading
        others
      }
    }
    events {
      ...EventBlock
    }
    nodes {
      __typename
      ... on Task {
        ...TaskRow
      }
      ... on List {
        name
        items {
          text
          checked
        }
      }
      ... on Memory {
        content
      }
      ... on Email {
        ...MailRow
      }
    }
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}
fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}
fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}
fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:0738cc46b927b5b2f5cc015ba2267be65e30039068ae830540710609f64cb5c0`}),je=new b(`
    mutation Remember($input: StoreMemoryInput!) {
  storeMemory(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:53333977a6a5b53aa9f1aad2403d0d6e2405ea3541e8251be350365aebd96ec5`}),Me=new b(`
    query FindTasks($q: String!) {
  tasks(filter: {search: $q, completed: null}, first: 10) {
    nodes {
      ...TaskRow
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment TaskRow on Task {
  id
  text
  category
  dueDate
  dueDateFormatted
  nextReminderAt
  completed
  recurrence {
    type
    time
    days
    dayOfMonth
    interval
    until
  }
  itemContext {
    isOverdue
    isToday
  }
}`,{hash:`sha256:8497f7cb51b30a11f2f9a285e5615e27f7757dda8e1c7bc8ed73db2b657a1a19`}),Ne=new b(`
    query FindEvents($q: String!, $from: DateTime!, $to: DateTime!) {
  events(filter: {search: $q, timeMin: $from, timeMax: $to}, first: 10) {
    nodes {
      ...EventBlock
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`,{hash:`sha256:c7504f6309f67e9b527b8e37ef2c0712d0b10487e58a6121fdd6a604c36937ab`}),Pe=new b(`
    query FindMail($q: String!) {
  emails(filter: {query: $q}, first: 10) {
    nodes {
      ...MailRow
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment MailRow on Email {
  id
  threadId
  from {
    name
    email
  }
  subject
  snippet
  dateFormatted
  unread
}`,{hash:`sha256:b12a40aebea0f2ea2986fe9f305c7c12689c82143ab487d211ba3170292e3a9d`}),Fe=new b(`
    query FindLists($q: String!) {
  lists(filter: {search: $q}, first: 10) {
    nodes {
      id
      name
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `,{hash:`sha256:751a595b4b936786eac5dcee247d1e4a183bcdc17fedca8dd2f2d7434cd3be26`}),Ie=new b(`
    mutation SetSettings($input: UpdateSettingsInput!) {
  updateSettings(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:d217f9d67f80d34edea32d4be7aec3bc79e0b8275ad4c704f66075888df57995`}),Le=new b(`
    query Tokens {
  tokens {
    key
    name
    scopes
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    valid
  }
}
    `,{hash:`sha256:fcafbbd0a40fe6ba807665425555affa144d46e8ba97dcf81abfc6b3e12718ba`}),Re=new b(`
    mutation MakeToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    secret
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:51a055ddb0d58f2c4b51fedd64b8303ab735c1af9922545e91b66ec9b072337a`}),ze=new b(`
    mutation EndToken($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:582db7f527a860badbc8f430b58e64eb224d8e726d60e498b292cb9f46ec7450`}),Be=new b(`
    query Websets {
  websets(first: 25) {
    nodes {
      id
      title
      status
      entityType
      searches {
        id
        query
        progress {
          found
          completion
        }
      }
      imports {
        id
        title
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `,{hash:`sha256:3ec626c20f8dca1cb2e20e1ea07edf39b9bcbb948e69cd3c833a51c7a8e10722`}),Ve=new b(`
    query Webset($id: ID!) {
  webset(id: $id) {
    id
    title
    status
    entityType
    searches {
      id
      query
      status
      progress {
        found
        analyzed
        completion
      }
      criteria {
        description
        successRate
      }
    }
    enrichments {
      id
      description
    }
    imports {
      id
      title
    }
  }
}
    `,{hash:`sha256:35f1db9e5b67e32039cb76c42fc22cac4a9944e42124e7e1a7024914b4ccc1dd`}),He=new b(`
    query WebsetItems($id: ID!, $after: String, $all: Boolean!) {
  websetItems(websetId: $id, first: 50, after: $after, includeUnsatisfied: $all) {
    excluded
    nodes {
      id
      name
      url
      description
      evaluations {
        criterion
        satisfied
      }
      enrichments {
        description
        result
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `,{hash:`sha256:f98eeb132f4e1adcaec8b84df84fca4a66b7dcd3d2f1c22f0f0d5c386c951403`}),Ue=new b(`
    query WebsetItemRaw($id: ID!) {
  websetItem(id: $id) {
    id
    name
    url
    raw
  }
}
    `,{hash:`sha256:725f49a01714dc4a29a6cd0e214fad89a28da80ad63202141fd9af1359ee1ac3`}),We=new b(`
    subscription WebsetUntil($id: ID!) {
  websetUntil(id: $id, timeoutSeconds: 600) {
    done
    webset {
      id
      status
    }
  }
}
    `,{hash:`sha256:95249e79b2ee8319d409334bcfc84ea44385da14ed2c26c01bd0f3fcd2af37e1`}),Ge=new b(`
    mutation PreviewWebset($input: PreviewWebsetInput!) {
  previewWebset(input: $input) {
    preview {
      entityType
      criteria
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:3021f4aa49f3da148dc15ca6be04f404ecc4a21b6414234c1c3de7d8d2c704a9`}),Ke=new b(`
    mutation AddWebset($input: CreateWebsetInput!) {
  createWebset(input: $input) {
    webset {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:a7a5b527d1ec3293fc6ee299c6295ec8173fa1a262ded6690b3e1b35e1eaab91`}),qe=new b(`
    mutation CancelWebset($input: CancelWebsetInput!) {
  cancelWebset(input: $input) {
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:49ad0d27fcefc553e1386d49ecf46cd392e57a2cc8b9a148e1a1efda8a63312b`}),Je=new b(`
    mutation DeleteWebset($input: DeleteWebsetInput!) {
  deleteWebset(input: $input) {
    deleted
    action {
      ...Done
    }
    confirmation {
      ...Ask
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Ask on Confirmation {
  kind
  question
  token
  expiresAt
  allowMultiple
  candidates {
    key
    label
  }
}
fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:7d0bb870f008e959e13406759b0dafa9d81175a58f7babcf2bbeb5cba50ea9ae`}),Ye=new b(`
    query WebsetMonitors($id: ID!) {
  websetMonitors(websetId: $id, first: 25) {
    nodes {
      id
      status
      nextRunAt
      lastRun {
        id
        status
        completedAt
        failedReason
      }
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `,{hash:`sha256:a4300262671db53d8412c7226cb30a52f74c49d9fadd7818b7984c3de1c4a006`}),Xe=new b(`
    mutation AddMonitor($input: CreateWebsetMonitorInput!) {
  createWebsetMonitor(input: $input) {
    monitor {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:54e8472190d5efec7b528f29cf6896e4455a46cc0726c650ceed8791304f7c65`}),Ze=new b(`
    mutation SetMonitor($input: UpdateWebsetMonitorInput!) {
  updateWebsetMonitor(input: $input) {
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:a0ef4902352de77b3e0767429b6b6bae7180ee97b70304e86a4147d91a7b117b`}),Qe=new b(`
    mutation DeleteMonitor($input: DeleteWebsetMonitorInput!) {
  deleteWebsetMonitor(input: $input) {
    deleted
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:50b3fc234fa4e8cdf3a9438f5e641fe0631351145eba46b3bdb22e18d0e29d97`}),$e=new b(`
    query WebsetImports {
  websetImports(first: 25) {
    nodes {
      id
      title
      status
      count
      failedReason
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `,{hash:`sha256:631f62f0ad3a7918fde85f5618578a4dd2006654b60a856f392d14ed9b0c2633`}),et=new b(`
    subscription ImportUntil($id: ID!) {
  websetImportUntilCompleted(id: $id, timeoutSeconds: 600) {
    done
  }
}
    `,{hash:`sha256:2897f0b4f08a6101af275a806217cfc4fab9d19f3275e5f41bac2903a810a603`}),tt=new b(`
    mutation AddImport($input: CreateWebsetImportInput!) {
  createWebsetImport(input: $input) {
    import {
      id
    }
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:9ee20ea458707a20a3667f7102c97cea9adcc623299d58b0c12ac1d7299f8207`}),nt=new b(`
    mutation DeleteImport($input: DeleteWebsetImportInput!) {
  deleteWebsetImport(input: $input) {
    deleted
    action {
      ...Done
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Done on Action {
  id
  summary
  undoable
}
fragment Refusal on UserError {
  code
  message
  field
}`,{hash:`sha256:6b1773397f0c8c09378c759ace2a1e390be12d02ec320efc9c78a7f4cc941172`}),rt=new b(`
    query Week($from: DateTime!, $to: DateTime!) {
  events(filter: {timeMin: $from, timeMax: $to}, first: 100) {
    nodes {
      ...EventBlock
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment EventBlock on Event {
  id
  summary
  whenFormatted
  location
  allDay
  start {
    dateTime
    date
  }
  end {
    dateTime
    date
  }
  response
  meetingUrl
  version
  itemContext {
    isRecurring
  }
}`,{hash:`sha256:e35209d33c86a88e60008005791ae9f9dd0fb672150ef2e489fe31166c251bd7`}),it=new b(`
    query Busy($from: DateTime!, $to: DateTime!, $calendars: [ID!]!) {
  freeBusy(timeMin: $from, timeMax: $to, calendarIds: $calendars) {
    calendars {
      calendarId
      error
      busy {
        start
        end
      }
    }
  }
}
    `,{hash:`sha256:5b50021cab0aa92d50d3f8c16885a7e1c4e5dded62934e7c8f18331b96783854`}),at=new b(`
    query Calendars {
  calendars {
    id
    sourceId
    summary
    primary
  }
}
    `,{hash:`sha256:0e310191aa519136c71f337f4b969ce1bc9d53cfd3e3e71dfb2ada595c1b0f3b`}),F={token:`almanac:token`,locale:`almanac:home:locale`,theme:`almanac:home:theme`,keys:`almanac:home:keys`};function ot(){let e=o(l,F.locale);return e===`en`||e===`he`?e:/^(he|iw)\b/.test(navigator.language)?`he`:`en`}function st(){let e=o(l,F.theme);return e===`light`||e===`dark`?e:`system`}var I=i(o(c,F.token)),L=i(!1),ct=i(``),lt=()=>/(^|;\s*)almanac-signed-in=1/.test(document.cookie);async function ut(){await fetch(new URL(`signout`,document.baseURI),{method:`POST`,credentials:`same-origin`}),location.reload()}var R=i(ot()),z=i(st()),dt=i(o(l,F.keys)!==`off`);function ft(e){let t=e.trim().replace(/^(authorization:\s*)?bearer\s+/i,``);s(c,F.token,t),L.set(!1),I.set(t)}function pt(e){s(l,F.locale,e),R.set(e)}function mt(e){s(l,F.theme,e===`system`?``:e),z.set(e)}function ht(e){s(l,F.keys,e?``:`off`),dt.set(e)}function gt(){let e=()=>{let e=document.documentElement;e.lang=R.get(),e.dir=R.get()===`he`?`rtl`:`ltr`,e.dataset.theme=z.get()};R.watch(e),z.watch(e),e()}var _t=new URL(`graphql`,document.baseURI),vt=`UNSENT`,yt=`UNANSWERED`,B=class extends Error{passing;code;traceId;connectUrl;constructor(e,t,n=``,r=``,i=``){super(e),this.passing=t,this.code=n,this.traceId=r,this.connectUrl=i}},bt=new Set([`UPSTREAM_UNAVAILABLE`,`UPSTREAM_RATE_LIMITED`,`RATE_LIMITED`,`TIMEOUT`]),xt=`Almanac home`,St=3e4;async function V(e,t,n={}){if(!navigator.onLine)throw new B(``,!0,vt);let r,i;try{r=await fetch(_t,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.9`,"Accept-Language":R.get(),"GraphQL-Client-Name":xt,...I.get()&&{Authorization:`Bearer ${I.get()}`},...n.key&&{"Idempotency-Key":n.key}},body:JSON.stringify({query:e.toString(),variables:t}),credentials:`same-origin`,cache:`no-store`,keepalive:n.keepalive??!1,signal:AbortSignal.timeout(St)}),i=await r.json()}catch{throw new B(``,!0,yt)}let a=i.errors?.[0];if(r.status===401&&(ct.set(a?.extensions?.signInUrl??``),L.set(!0)),a&&Ct(i.data)){let{code:e=``,traceId:t=``,connectUrl:n=``}=a.extensions??{};throw new B(a.message,r.status===503||bt.has(e),e,t,n)}if(!i.data)throw new B(`HTTP ${r.status}`,r.status>=500);return i.data}function Ct(e){return e==null||typeof e==`object`&&!Array.isArray(e)&&Object.values(e).every(Ct)}var wt=()=>{let e=new URL(_t);return e.protocol=e.protocol===`https:`?`wss:`:`ws:`,e.href},H=new Map,U=[],Tt=60;I.watch(()=>{for(let[e,t]of H)t.watchers.size===0?H.delete(e):(t.raw=void 0,t.reading={data:void 0,failure:void 0,loading:!0,at:0});W()});function Et(e){if(U.length===0)return e;if(Array.isArray(e))return e.map(Et).filter(e=>!(Dt(e)&&e.gone===!0));if(!Dt(e))return e;let t={};for(let[n,r]of Object.entries(e))t[n]=Et(r);for(let{id:n,patch:r}of U)e.id===n&&Object.assign(t,r);return Dt(t.node)&&t.node.gone===!0&&(t.gone=!0),t}function Dt(e){return typeof e==`object`&&!!e&&!Array.isArray(e)}function Ot(e,t){e.reading={...e.reading,...t,data:Et(e.raw)};for(let t of[...e.watchers])t()}function kt(e,t){let n={id:e,patch:t};U.push(n);for(let e of H.values())Ot(e,{});return()=>{U.splice(U.indexOf(n),1);for(let e of H.values())Ot(e,{})}}function At(e){return e.asking=jt(e),e.asking}async function jt(e){let t=++e.asked;e.stale=!1;try{let n=await V(e.document,e.variables);if(t!==e.asked)return e.asking;e.raw=n,Ot(e,{failure:void 0,loading:!1,at:Date.now()})}catch(n){if(t!==e.asked)return e.asking;e.stale=!0,Ot(e,{failure:n instanceof B?n:new B(String(n),!1),loading:!1})}}async function W(){let e=[];for(let t of H.values())t.watchers.size>0?e.push(At(t)):t.stale=!0;await Promise.all(e)}function Mt(e,t){let n=e.toString()+JSON.stringify(t),r=H.get(n);if(!r){r={document:e,variables:t,raw:void 0,reading:{data:void 0,failure:void 0,loading:!0,at:0},watchers:new Set,asked:0,asking:Promise.resolve(),stale:!0};for(let[e,t]of H)H.size>=Tt&&t.watchers.size===0&&H.delete(e)}return H.delete(n),H.set(n,r),r}function Nt(e,t){let n=Mt(e,t),i=(0,r.useCallback)(e=>(n.watchers.add(e),()=>n.watchers.delete(e)),[n]),a=(0,r.useSyncExternalStore)(i,()=>n.reading);(0,r.useEffect)(()=>{n.stale&&At(n)},[n]);let o=(0,r.useCallback)(()=>void At(n),[n]);return{...a,again:o}}R.watch(()=>void W());var G=i({state:`away`,since:Date.now()}),K=``,q,Pt,Ft,It=new Set;function Lt(e){return It.add(e),()=>It.delete(e)}function Rt(e,t,n){let r,i=()=>{},a=()=>{G.get().state===`live`&&q&&q!==r&&(i(),r=q,i=q.subscribe({query:e.toString(),variables:t},{next:({data:e})=>e&&n(e),error:()=>void 0,complete:()=>void 0}))},o=G.watch(a);return a(),()=>{o(),i()}}function zt(){G.get().state===`live`&&G.set({state:`away`,since:Date.now()})}function Bt(){Ft??=setTimeout(()=>{Ft=void 0,W()},60)}function Vt(e){if(e.cursor!==K){K=e.cursor;for(let t of It)t(e);Bt()}}async function Ht(){let e=_({url:wt(),retryAttempts:0,lazy:!0,keepAlive:15e3,connectionParams:()=>({locale:R.get(),...I.get()&&{authorization:`Bearer ${I.get()}`}}),on:{connected:()=>{G.set({state:`live`}),Bt()},closed:zt}});return q=e,new Promise(t=>{e.subscribe({query:w.toString(),variables:{after:K||null}},{next:({data:e})=>e&&Vt(e.changed),error:n=>{n instanceof CloseEvent&&(n.code===4401||n.code===4403)?(L.set(!0),W(),t(`refused`)):t(Array.isArray(n)?`expired`:`again`),e.dispose()},complete:()=>t(`again`)})})}var Ut=e=>new Promise(t=>{let n=setTimeout(t,e);Pt=()=>{clearTimeout(n),t()}}),Wt=3e5;async function Gt(){let e=0,t;for(window.addEventListener(`online`,()=>Pt?.()),window.addEventListener(`offline`,()=>void q?.terminate()),I.watch(()=>{K=``,q?.terminate(),Pt?.()}),document.addEventListener(`visibilitychange`,()=>{clearTimeout(t),document.hidden?t=setTimeout(()=>void q?.dispose(),Wt):Pt?.()});;){for(;document.hidden&&e>0;)await Ut(6e4);let t=Date.now(),n=`again`;try{K===``&&(K=(await V(C,{})).changes?.latestCursor??``,e>0&&W()),n=await Ht()}catch{}zt(),n===`expired`&&(K=``),e=Date.now()-t>1e4?1:e+1,await Ut(n===`refused`?36e5:Math.min(15e3,250*2**e)*(.75+Math.random()/2))}}var Kt={day:`Day`,week:`Week`,board:`Tasks`,inbox:`Inbox`,memory:`Memory`,lists:`Lists`,graph:`Knowledge`,websets:`Websets`,actions:`Activity`,settings:`Settings`,explorer:`API explorer`,more:`More`,palette:`Commands`,skip:`Skip to the day`,today:`Today`,tomorrow:`Tomorrow`,nextWeek:`Next week`,previousWeek:`Earlier days`,followingWeek:`Later days`,weekKeys:`Drag an event to move it, its lower edge to stretch it. By keys: Alt and the arrows; with Shift, Alt and up or down change the end.`,busy:`Busy times shown`,busyOf:`Whose busy times? An address or a calendar`,busyShow:`Show when busy`,busyUnknown:`cannot be read`,busyFrom:(e,t,n)=>`${e} is busy from ${t} to ${n}`,inboxEmpty:`The inbox is empty.`,search:`Search`,memorySearch:`What do you want to remember?`,memoryAdd:`Something worth remembering`,memoryNewest:`Remembered last`,memoryEmpty:`Nothing is remembered yet. Write the first thing below.`,memoryFound:e=>e===1?`1 memory found`:`${e} memories found`,memoryNone:`Nothing was found. Try other words.`,memoryOne:`A memory`,memoryText:`What is remembered`,memoryHistory:`Earlier versions`,byMeaning:`by meaning`,byWords:`by words`,and:`and`,restore:`Bring back`,forget:`Forget`,forgetSure:(e,t)=>`Forget this memory${e===0?``:` and its ${t?`at least `:``}${e===1?`1 earlier version`:`${e} earlier versions`}`} for good? This cannot be undone.`,listAdd:`A new list`,listsEmpty:`There are no lists yet. Name the first one above.`,itemAdd:`Add an item`,previousDay:`Previous day`,nextDay:`Next day`,backToToday:`Back to today`,good:{night:`Good night`,morning:`Good morning`,afternoon:`Good afternoon`,evening:`Good evening`},nextUp:(e,t)=>`Next: ${e}, ${t}`,inTime:e=>`in ${e}`,nowUntil:e=>`now, until ${e}`,nothingNext:`Nothing else is planned today.`,now:`Now`,late:`Late`,lateEmpty:`Nothing is late.`,mail:`Waiting for your answer`,mailEmpty:`No mail waits for you.`,thisDay:`The day`,dayEmpty:`Nothing is planned. Say what comes up, for example: “lunch with Noa at 13:00”.`,coming:`Tomorrow`,comingEmpty:`Nothing yet.`,free:e=>`Free for ${e}`,clash:`overlaps`,repeat:{daily:`every day`,weekly:e=>`every ${e}`,monthly:e=>`every month on day ${e}`,nudge:e=>`every ${e} until it is done`,at:e=>`at ${e}`,until:e=>`until ${e}`},allDay:`All day`,join:`Join the meeting`,earlier:e=>e===1?`1 earlier entry`:`${e} earlier entries`,moreThanShown:`There is more than fits here.`,partMissing:`A part is missing`,connect:`Link the account`,lateCount:e=>`${e} late`,mailCount:e=>e===1?`1 mail waits`:`${e} mails wait`,eventCount:e=>e===1?`1 event`:`${e} events`,taskCount:e=>e===1?`1 task`:`${e} tasks`,from:e=>`From ${e}`,to:e=>`To ${e}`,done:`Done`,markDone:e=>`Complete: ${e}`,reopen:e=>`Reopen: ${e}`,moveTo:(e,t)=>`Move to ${t}: ${e}`,open:`Open`,archive:`Archive`,answer:`Answer`,answerText:`Your answer`,preview:`Show what goes out`,edit:`Change it`,sendNow:`Send`,exactly:`This goes out, exactly as it stands here:`,sendIn:`It is sent ten seconds after you press Send; until then you can undo it.`,cut:`The rest of this mail is not shown.`,places:{of:e=>`Move: ${e}`,up:`Up`,down:`Down`,groups:`To another group`},remove:`Delete`,save:`Save`,close:`Close`,cancel:`Cancel`,undo:`Undo`,nothingToUndo:`There is nothing to undo.`,failed:`Something went wrong on this page.`,notReached:`The server was not reached.`,unknown:`Sign in to go on.`,notSent:`There is no connection, so nothing was sent and nothing was changed.`,repeating:`No answer came. It is not known whether it was done; it is being repeated with the same key, which does it once.`,notKnown:`No answer came, also when it was repeated. Whether it was done is shown under Activity once the server is back.`,loading:`Loading …`,tryAgain:`Try again`,away:e=>`Not connected. Shown is what was read at ${e}; ticks and moves are sent when the server is back.`,waitingCount:e=>e===1?`1 change waits to be sent.`:`${e} changes wait to be sent.`,say:`Say what to do`,sayHint:`Say it: “lunch with Noa tomorrow at 13:00”, “move Dentist to Friday”, “what is on Friday?”`,sayShort:`Lunch with Noa at 13:00`,sayDo:`Do it`,saying:`One moment …`,sayWhich:`This can be read in more than one way. Say it again, more exactly.`,refusal:(e,t)=>t,notUnderstood:`This was not understood. What should become of it?`,addAsTask:`Add as a task`,remember:`Remember it`,searchWords:`Search for these words`,events:`Events`,everything:`Search everything`,everythingHint:`Words in tasks, events, mail, memories, people and things, lists`,everythingEmpty:`Enter words to look for.`,nothingFound:`Nothing was found here.`,orElse:`or`,understood:(e,t)=>`“${e}” was taken as ${t}`,askTitle:`A question first`,askUntil:e=>`Answer by ${e}`,askAll:`All`,askYes:`Yes, do it`,askNo:`No`,choose:`Choose`,reminder:`Reminder`,task:{text:`What is to be done`,due:`Due`,noDue:`No date`,category:`Category`,steps:`Steps`,addStep:`Add a step`,history:`Completed before`,add:`Add a task`,exists:`There is such a task already.`},event:{title:`Title`,guests:`Guests`,response:`Your answer`,accept:`Going`,tentative:`Maybe`,decline:`Not going`,start:`Start`,end:`End`},groups:{overdue:`Late`,today:`Today`,upcoming:`Coming`,recurring:`Repeating`,noDueDate:`No date`},groupsEmpty:{overdue:`Nothing is late.`,today:`Nothing else is due today.`,upcoming:`Nothing is planned.`,recurring:`Nothing repeats.`,noDueDate:`Nothing without a date.`},showMore:`Show more`,groupBy:`Group by`,byTime:`By date`,byCategory:`By category`,noCategory:`No category`,noTasks:`No open tasks.`,knowledge:{search:`A person, a place, a thing`,all:`Everyone and everything that is known`,found:e=>e===1?`1 found`:`${e} found`,none:`Nothing was found. Try other words.`,empty:`Nothing is known yet. It fills with what you and your assistants add.`,map:`What surrounds it`,alone:`Nothing is connected with it at this time.`,noFacts:`Nothing was true of it at this time.`,since:e=>`since ${e}`,until:e=>`until ${e}`,asOf:`As of`,now:`now`},webset:{intro:`Collections of companies, people or articles that are searched for on the web, checked against criteria and filled while you look on.`,empty:`There are no websets yet.`,untitled:`A webset`,add:`A new webset`,query:`What to look for`,queryHint:`For example: robotics companies in Israel with at least 20 employees`,count:`How many`,preview:`Show how it is understood`,start:`Start searching`,criteria:`Each has to satisfy:`,criterion:e=>`Criterion ${e}`,found:e=>e===1?`1 found`:`${e} found`,progress:(e,t)=>`${e} found of ${t} checked`,rate:e=>`${e} % satisfy it`,searches:`Searches`,earlier:e=>e===1?`1 more search`:`${e} more searches`,imported:`Brought in from:`,items:`Found`,all:`Also what satisfies no criterion`,name:`Name`,raw:`Raw data`,rawOf:e=>`JSON: ${e}`,rawIntro:`Everything that Exa returned. Its texts come from the web.`,filling:`Nothing is found yet; it fills by itself.`,nothing:`Nothing was found.`,excluded:e=>e===1?`1 more was checked and left out.`:`${e} more were checked and left out.`,cancel:`Stop searching`,deleteSure:(e,t)=>`Delete this webset${e===0?``:e===1?` with the 1 item that was found`:` with the ${t?`up to `:``}${e} items that were found`}? This cannot be undone.`,yes:`yes`,no:`no`,unclear:`unclear`,status:{idle:`Complete`,pending:`Waiting`,running:`Searching`,paused:`Paused`},entity:{company:`Companies`,person:`People`,article:`Articles`,research_paper:`Papers`,custom:`Others`}},actionsIntro:`What was done, by whom, newest first. Take back what should not have been.`,actionsEmpty:`Nothing was done yet. What you or your assistants change is listed here.`,via:{GRAPHQL:`a client of the API`,AGENT:`a sentence`,MCP:`a language model`},thisPage:`this page`,undone:`taken back`,undoNow:e=>`Undo: ${e}`,noSummary:`A change`,language:`Language`,theme:`Colours`,themes:{system:`As the system`,light:`Light`,dark:`Dark`},zone:`Time zone`,weekStart:`The week starts on`,weekdays:{SUNDAY:`Sunday`,MONDAY:`Monday`,TUESDAY:`Tuesday`,WEDNESDAY:`Wednesday`,THURSDAY:`Thursday`,FRIDAY:`Friday`,SATURDAY:`Saturday`},singleKeys:`Single keys are shortcuts`,singleKeysHint:`Switch this off when you use speech or other aids that type letters.`,accounts:`Linked accounts`,standIn:`a stand-in, for trying out`,linked:`Linked`,notLinked:`Not linked`,expired:`No longer valid`,notConfigured:`Not set up on this server`,linkIt:`Link`,token:`API token`,tokenHint:`It stays in this tab and is forgotten when the tab is closed.`,signIn:`Sign in`,signInBrowser:`Sign in with your account`,signInOr:`Or enter an API token.`,endSession:`Sign out`,session:`browser session`,sessionText:`You are signed in with this browser.`,signInText:`This server wants to know who you are. Enter an API token.`,signOut:`Forget the token`,tokenRefused:`This token was refused.`,zoneOffer:(e,t)=>`You seem to be in ${e}; times are shown for ${t}.`,zoneUse:e=>`Use ${e}`,zoneKeep:`Leave it`,keysTitle:`Keys`,keys:`Keyboard shortcuts`,commandHint:`Type a command, or a sentence`,commandNone:`No command has this name. Enter says it to Almanac.`,searchThis:e=>`Search everything: ${e}`,sayThis:e=>`Say: ${e}`,addThis:e=>`Add a task: ${e}`,commands:{move:`Next and previous row`,moveDown:`Next row`,moveUp:`Previous row`,openRow:`Open the row`,complete:`Complete the task`,moveToday:`Move the task to today`,moveTomorrow:`Move the task to tomorrow`,moveWeek:`Move the task to next week`,placeUp:`Move up in the order made by hand`,placeDown:`Move down in the order made by hand`,groupNext:`Move to the next group`,groupBefore:`Move to the group before`,archive:`Archive the mail`,reply:`Answer the mail`,say:`Say it`,add:`Add a task`,undo:`Undo the last change`,palette:`All commands`,keys:`All keys`,theme:`Light or dark`,language:`עברית`}},qt=/^[^A-Za-z\u05d0-\u05ea]*[\u05d0-\u05ea]/,Jt={UNAUTHENTICATED:`יש להיכנס כדי להמשיך.`,FORBIDDEN:`האסימון אינו מתיר את זה.`,BAD_USER_INPUT:`אחד הערכים אינו תקין.`,NOT_FOUND:`זה לא נמצא; ייתכן שנמחק.`,CONFLICT:`זה מתנגש עם מה שכבר קיים או השתנה בינתיים.`,NOT_CONNECTED:`החשבון הדרוש אינו מקושר.`,NOT_CONFIGURED:`זה לא הוגדר בשרת הזה.`,CONFIRMATION_INVALID:`תוקף השאלה פג. לא השתנה דבר.`,RATE_LIMITED:`יותר מדי בקשות. כדאי לנסות שוב בעוד רגע.`,UPSTREAM_RATE_LIMITED:`השירות המרוחק מגביל את הבקשות. כדאי לנסות שוב בעוד רגע.`,UPSTREAM_UNAVAILABLE:`השירות המרוחק אינו עונה.`,UPSTREAM_REJECTED:`השירות המרוחק סירב.`,TIMEOUT:`זה נמשך זמן רב מדי והופסק.`,INTERNAL:`אירעה תקלה בשרת.`},Yt=new Set([`BAD_USER_INPUT`,`UPSTREAM_REJECTED`]),Xt={day:`היום`,week:`השבוע`,board:`משימות`,inbox:`דואר נכנס`,memory:`זיכרון`,lists:`רשימות`,graph:`ידע`,websets:`אוספים מהרשת`,actions:`פעילות`,settings:`הגדרות`,explorer:`סייר ה־API`,more:`עוד`,palette:`פקודות`,skip:`דילוג אל היום`,today:`היום`,tomorrow:`מחר`,nextWeek:`שבוע הבא`,previousWeek:`ימים קודמים`,followingWeek:`ימים הבאים`,weekKeys:`גרירת אירוע מזיזה אותו, וגרירת הקצה התחתון משנה את אורכו. במקלדת: Alt והחצים; Shift, Alt ולמעלה או למטה משנים את הסיום.`,busy:`זמנים תפוסים מוצגים`,busyOf:`הזמנים התפוסים של מי? כתובת או יומן`,busyShow:`הצגת זמנים תפוסים`,busyUnknown:`אי אפשר לקרוא`,busyFrom:(e,t,n)=>`${e}: תפוס מ־${t} עד ${n}`,inboxEmpty:`הדואר הנכנס ריק.`,search:`חיפוש`,memorySearch:`במה להיזכר?`,memoryAdd:`משהו שכדאי לזכור`,memoryNewest:`נזכרו לאחרונה`,memoryEmpty:`עדיין אין זיכרונות. את הראשון אפשר לכתוב למטה.`,memoryFound:e=>e===1?`נמצא זיכרון אחד`:`נמצאו ${e} זיכרונות`,memoryNone:`לא נמצא דבר. אפשר לנסות מילים אחרות.`,memoryOne:`זיכרון`,memoryText:`מה זכור`,memoryHistory:`גרסאות קודמות`,byMeaning:`לפי משמעות`,byWords:`לפי מילים`,and:`וגם`,restore:`שחזור`,forget:`לשכוח`,forgetSure:(e,t)=>`לשכוח את הזיכרון הזה${e===0?``:e===1?` ואת הגרסה הקודמת שלו`:` ואת ${t?`לפחות `:``}${e} הגרסאות הקודמות שלו`} לתמיד? אי אפשר לבטל זאת.`,listAdd:`רשימה חדשה`,listsEmpty:`עדיין אין רשימות. את הראשונה אפשר ליצור למעלה.`,itemAdd:`הוספת פריט`,previousDay:`היום הקודם`,nextDay:`היום הבא`,backToToday:`חזרה להיום`,good:{night:`לילה טוב`,morning:`בוקר טוב`,afternoon:`צהריים טובים`,evening:`ערב טוב`},nextUp:(e,t)=>`הבא בתור: ${e}, ${t}`,inTime:e=>`בעוד ${e}`,nowUntil:e=>`עכשיו, עד ${e}`,nothingNext:`לא מתוכנן עוד דבר להיום.`,now:`עכשיו`,late:`באיחור`,lateEmpty:`שום דבר לא מאחר.`,mail:`מחכים לתשובה שלך`,mailEmpty:`אין דואר שמחכה לך.`,thisDay:`סדר היום`,dayEmpty:`לא מתוכנן דבר. אפשר לכתוב מה צפוי, למשל: “צהריים עם נועה ב־13:00”.`,coming:`מחר`,comingEmpty:`עדיין אין דבר.`,free:e=>`פנוי למשך ${e}`,clash:`חופף`,repeat:{daily:`כל יום`,weekly:e=>`כל יום ${e}`,monthly:e=>`כל חודש ב־${e} בחודש`,nudge:e=>`כל ${e} עד שזה נעשה`,at:e=>`ב־${e}`,until:e=>`עד ${e}`},allDay:`כל היום`,join:`הצטרפות לפגישה`,earlier:e=>e===1?`פריט אחד מוקדם יותר`:`${e} פריטים מוקדמים יותר`,moreThanShown:`יש עוד, מעבר למה שנכנס כאן.`,partMissing:`חלק מהמידע חסר`,connect:`קישור החשבון`,lateCount:e=>`${e} באיחור`,mailCount:e=>e===1?`הודעה אחת מחכה`:`${e} הודעות מחכות`,eventCount:e=>e===1?`אירוע אחד`:`${e} אירועים`,taskCount:e=>e===1?`משימה אחת`:`${e} משימות`,from:e=>`מאת ${e}`,to:e=>`אל ${e}`,done:`בוצע`,markDone:e=>`סימון כבוצע: ${e}`,reopen:e=>`פתיחה מחדש: ${e}`,moveTo:(e,t)=>`העברה אל ${t}: ${e}`,open:`פתיחה`,archive:`העברה לארכיון`,answer:`תשובה`,answerText:`התשובה שלך`,preview:`הצגת מה שיישלח`,edit:`שינוי`,sendNow:`שליחה`,exactly:`כך בדיוק ההודעה תישלח:`,sendIn:`ההודעה נשלחת עשר שניות אחרי הלחיצה; עד אז אפשר לבטל.`,cut:`המשך ההודעה אינו מוצג.`,places:{of:e=>`העברה: ${e}`,up:`למעלה`,down:`למטה`,groups:`לקבוצה אחרת`},remove:`מחיקה`,save:`שמירה`,close:`סגירה`,cancel:`ביטול`,undo:`ביטול הפעולה`,nothingToUndo:`אין מה לבטל.`,failed:`משהו השתבש בדף הזה.`,notReached:`אין קשר עם השרת.`,unknown:`יש להיכנס כדי להמשיך.`,notSent:`אין חיבור, ולכן דבר לא נשלח ודבר לא השתנה.`,repeating:`לא הגיעה תשובה. לא ידוע אם זה נעשה; הבקשה נשלחת שוב עם אותו מפתח, וכך תיעשה פעם אחת.`,notKnown:`לא הגיעה תשובה, גם כשהבקשה נשלחה שוב. כשהשרת יחזור, אפשר לראות בפעילות אם זה נעשה.`,loading:`טוען …`,tryAgain:`ניסיון נוסף`,away:e=>`אין חיבור. מוצג מה שנקרא בשעה ${e}; סימונים והעברות יישלחו כשהשרת יחזור.`,waitingCount:e=>e===1?`שינוי אחד מחכה לשליחה.`:`${e} שינויים מחכים לשליחה.`,say:`מה לעשות`,sayHint:`אפשר לכתוב: “צהריים עם נועה מחר ב־13:00”, “להזיז את רופא השיניים ליום שישי”`,sayShort:`למשל: צהריים עם נועה ב־13:00`,sayDo:`ביצוע`,saying:`רק רגע …`,sayWhich:`אפשר להבין את המשפט ביותר מדרך אחת. כדאי לומר אותו שוב, במדויק.`,refusal:(e,t)=>{let n=qt.test(t)?void 0:Jt[e];return n?Yt.has(e)?`${n} (\u2068${t}\u2069)`:n:t},notUnderstood:`המשפט לא הובן. מה לעשות איתו?`,addAsTask:`הוספה כמשימה`,remember:`לזכור את זה`,searchWords:`לחפש את המילים האלה`,events:`אירועים`,everything:`חיפוש בכול`,everythingHint:`מילים במשימות, באירועים, בדואר, בזיכרונות, באנשים ובדברים, ברשימות`,everythingEmpty:`יש לכתוב מילים לחיפוש.`,nothingFound:`כאן לא נמצא דבר.`,orElse:`או`,understood:(e,t)=>`“${e}” הובן בתור ${t}`,askTitle:`שאלה לפני כן`,askUntil:e=>`לענות עד ${e}`,askAll:`הכול`,askYes:`כן, לבצע`,askNo:`לא`,choose:`בחירה`,reminder:`תזכורת`,task:{text:`מה צריך לעשות`,due:`מועד`,noDue:`ללא מועד`,category:`קטגוריה`,steps:`שלבים`,addStep:`הוספת שלב`,history:`בוצעה בעבר`,add:`הוספת משימה`,exists:`כבר יש משימה כזאת.`},event:{title:`כותרת`,guests:`מוזמנים`,response:`התשובה שלך`,accept:`אגיע`,tentative:`אולי`,decline:`לא אגיע`,start:`התחלה`,end:`סיום`},groups:{overdue:`באיחור`,today:`היום`,upcoming:`בהמשך`,recurring:`חוזרות`,noDueDate:`ללא מועד`},groupsEmpty:{overdue:`שום דבר לא מאחר.`,today:`אין עוד משימות להיום.`,upcoming:`לא מתוכנן דבר.`,recurring:`אין משימות חוזרות.`,noDueDate:`אין משימות ללא מועד.`},showMore:`הצגת עוד`,groupBy:`קיבוץ`,byTime:`לפי תאריך`,byCategory:`לפי קטגוריה`,noCategory:`ללא קטגוריה`,noTasks:`אין משימות פתוחות.`,knowledge:{search:`אדם, מקום או דבר`,all:`כל מי ומה שידוע`,found:e=>e===1?`נמצא אחד`:`נמצאו ${e}`,none:`לא נמצא דבר. אפשר לנסות מילים אחרות.`,empty:`עדיין לא ידוע דבר. מה שמוסיפים כאן ובעזרת עוזרים יופיע כאן.`,map:`מה שסביב`,alone:`שום דבר לא קשור לכך בזמן הזה.`,noFacts:`שום דבר לא היה נכון לגבי זה בזמן הזה.`,since:e=>`מאז ${e}`,until:e=>`עד ${e}`,asOf:`נכון ל:`,now:`עכשיו`},webset:{intro:`אוספים של חברות, אנשים או מאמרים שמחפשים ברשת, נבדקים לפי תנאים ומתמלאים מול העיניים.`,empty:`עדיין אין אוספים.`,untitled:`אוסף`,add:`אוסף חדש`,query:`מה לחפש`,queryHint:`למשל: חברות רובוטיקה בישראל עם 20 עובדים לפחות`,count:`כמה`,preview:`איך זה מובן`,start:`התחלת החיפוש`,criteria:`כל אחד צריך לקיים:`,criterion:e=>`תנאי ${e}`,found:e=>e===1?`נמצא אחד`:`נמצאו ${e}`,progress:(e,t)=>`נמצאו ${e} מתוך ${t} שנבדקו`,rate:e=>`${e}% מקיימים`,searches:`חיפושים`,earlier:e=>e===1?`עוד חיפוש אחד`:`עוד ${e} חיפושים`,imported:`הובא מתוך:`,items:`מה נמצא`,all:`גם מה שלא מקיים אף תנאי`,name:`שם`,raw:`נתונים גולמיים`,rawOf:e=>`JSON: ${e}`,rawIntro:`כל מה ש־Exa החזיר. הטקסטים באים מהרשת.`,filling:`עדיין לא נמצא דבר; הטבלה מתמלאת מעצמה.`,nothing:`לא נמצא דבר.`,excluded:e=>e===1?`עוד אחד נבדק והושמט.`:`עוד ${e} נבדקו והושמטו.`,cancel:`הפסקת החיפוש`,deleteSure:(e,t)=>`למחוק את האוסף${e===0?``:e===1?` עם הפריט האחד שנמצא`:t?` עם עד ${e} פריטים שנמצאו`:` עם ${e} הפריטים שנמצאו`}? אי אפשר לבטל זאת.`,yes:`כן`,no:`לא`,unclear:`לא ברור`,status:{idle:`הושלם`,pending:`ממתין`,running:`מחפש`,paused:`מושהה`},entity:{company:`חברות`,person:`אנשים`,article:`מאמרים`,research_paper:`מחקרים`,custom:`אחרים`}},actionsIntro:`מה נעשה ועל ידי מי, מהחדש לישן. מה שלא היה צריך להיעשות אפשר לבטל.`,actionsEmpty:`עדיין לא נעשה דבר. כאן יופיע כל מה שתשנו, ומה שישנו העוזרים שלכם.`,via:{GRAPHQL:`לקוח של ה־API`,AGENT:`משפט`,MCP:`מודל שפה`},thisPage:`הדף הזה`,undone:`בוטל`,undoNow:e=>`ביטול הפעולה: ${e}`,noSummary:`שינוי`,language:`שפה`,theme:`צבעים`,themes:{system:`כמו במערכת`,light:`בהיר`,dark:`כהה`},zone:`אזור זמן`,weekStart:`השבוע מתחיל ביום`,weekdays:{SUNDAY:`ראשון`,MONDAY:`שני`,TUESDAY:`שלישי`,WEDNESDAY:`רביעי`,THURSDAY:`חמישי`,FRIDAY:`שישי`,SATURDAY:`שבת`},singleKeys:`מקשים בודדים הם קיצורים`,singleKeysHint:`כדאי לכבות כשמשתמשים בהכתבה או בעזרים אחרים שמקלידים אותיות.`,accounts:`חשבונות מקושרים`,standIn:`תחליף, לניסיון`,linked:`מקושר`,notLinked:`לא מקושר`,expired:`אינו תקף עוד`,notConfigured:`לא הוגדר בשרת הזה`,linkIt:`קישור`,token:`אסימון API`,tokenHint:`הוא נשמר בלשונית הזאת בלבד ונשכח כשהיא נסגרת.`,signIn:`כניסה`,signInBrowser:`כניסה עם החשבון שלך`,signInOr:`אפשר גם להזין אסימון API.`,endSession:`יציאה`,session:`כניסה בדפדפן`,sessionText:`הכניסה נעשתה בדפדפן הזה.`,signInText:`השרת מבקש לדעת מי אתם. יש להזין אסימון API.`,signOut:`שכחת האסימון`,tokenRefused:`האסימון נדחה.`,zoneOffer:(e,t)=>`נראה שאתם ב־${e}; השעות מוצגות לפי ${t}.`,zoneUse:e=>`מעבר אל ${e}`,zoneKeep:`להשאיר`,keysTitle:`מקשים`,keys:`קיצורי מקלדת`,commandHint:`פקודה, או משפט`,commandNone:`אין פקודה בשם הזה. Enter יאמר אותו לאלמנך.`,searchThis:e=>`לחפש בכול: ${e}`,sayThis:e=>`לומר: ${e}`,addThis:e=>`הוספת משימה: ${e}`,commands:{move:`השורה הבאה והקודמת`,moveDown:`השורה הבאה`,moveUp:`השורה הקודמת`,openRow:`פתיחת השורה`,complete:`סימון המשימה כבוצעה`,moveToday:`העברת המשימה להיום`,moveTomorrow:`העברת המשימה למחר`,moveWeek:`העברת המשימה לשבוע הבא`,placeUp:`להעלות בסדר הידני`,placeDown:`להוריד בסדר הידני`,groupNext:`העברה לקבוצה הבאה`,groupBefore:`העברה לקבוצה הקודמת`,archive:`העברת ההודעה לארכיון`,reply:`תשובה להודעה`,say:`לומר מה לעשות`,add:`הוספת משימה`,undo:`ביטול השינוי האחרון`,palette:`כל הפקודות`,keys:`כל המקשים`,theme:`בהיר או כהה`,language:`English`}};function J(){return R.get()===`he`?Xt:Kt}function Zt(){return a(R),J()}var Y=i([]),Qt=i(null),X=i(0),$t=``,en=0,tn=1e4;function Z(e,t={}){let n={id:++en,text:e,...t};return Y.set([...Y.get().slice(-2),n]),setTimeout(()=>rn(n.id),tn),n.id}function nn(e){return e instanceof B&&e.code===`UNSENT`?J().notSent:e instanceof B&&e.code===`UNANSWERED`?J().notKnown:an(e)}function rn(e){Y.set(Y.get().filter(t=>t.id!==e))}function an(e){let t=J();if(!(e instanceof B))return t.failed;if(e.code===`UNANSWERED`||e.code===`UNSENT`)return t.notReached;if(e.code===`UNAUTHENTICATED`)return t.unknown;let n=t.refusal(e.code,e.message);return e.traceId?`${n} (${e.traceId})`:n}function on(e){return new Promise(t=>{Qt.set({ask:e,answer(e){Qt.set(null),t(e)}})})}async function sn(e){return await on({kind:`APPROVAL`,question:e,token:``,expiresAt:``,allowMultiple:!1,candidates:[]})!==null}async function cn(e){let t=e.patch?kt(e.patch.id,e.patch.patch):()=>void 0,n,r=0;try{for(;;){let t=crypto.randomUUID(),i={input:n?{...e.input,confirm:n}:e.input},a=()=>V(e.document,i,{key:t}),o=await(e.waits?fn(a):un(a)),s=Object.values(o)[0],[c]=s.userErrors;if(c?.code===`CONFIRMATION_INVALID`&&r++===0){n=void 0;continue}if(c)return e.quiet||Z(J().refusal(c.code,c.message),{bad:!0}),{data:o,errors:s.userErrors,done:!1};if(s.confirmation){let e=await on(s.confirmation);if(!e)return{data:o,errors:[],done:!1};n={token:s.confirmation.token,...e};continue}let l=s.action,u=l?.undoable&&!e.undoes?l.id:void 0;u&&($t=u),await W();let d=e.said===void 0?l?.summary:e.said;return d&&Z(d,u?{action:u}:{}),{data:o,errors:[],done:!0}}}catch(e){return Z(nn(e),{bad:!0}),{data:void 0,errors:[],done:!1}}finally{t()}}var ln=5;async function un(e){let t;try{for(let n=0;;n++)try{return await e()}catch(e){if(!(e instanceof B&&(e.code===`UNANSWERED`||n>0&&e.code===`UNSENT`)))throw e;if(n===ln)throw new B(``,!0,yt);t??=Z(J().repeating,{bad:!0}),await pn()}}finally{t!==void 0&&rn(t)}}var dn=Promise.resolve();function fn(e){let t=dn.then(async()=>{let t=!1;try{for(;;)try{return await e()}catch(e){if(!(e instanceof B&&e.passing))throw e;t||=(X.set(X.get()+1),!0),await pn()}}finally{t&&X.set(X.get()-1)}});return dn=t.catch(()=>void 0),t}function pn(){return new Promise(e=>{let t=setTimeout(r,5e3),n=G.watch(()=>G.get().state===`live`&&r());function r(){clearTimeout(t),n(),e()}})}async function mn(e=$t){e===``?Z(J().nothingToUndo):(e===$t&&($t=``),Y.set(Y.get().filter(t=>t.action!==e)),await cn({document:T,input:{id:e},undoes:!0}))}var hn=e((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.fragment`);function r(e,n,r){var i=null;if(r!==void 0&&(i=``+r),n.key!==void 0&&(i=``+n.key),`key`in n)for(var a in r={},n)a!==`key`&&(r[a]=n[a]);else r=n;return n=r.ref,{$$typeof:t,type:e,key:i,ref:n===void 0?null:n,props:r}}e.Fragment=n,e.jsx=r,e.jsxs=r})),gn=e(((e,t)=>{t.exports=hn()})),Q=gn(),_n={day:`M4 6.5h16M4 6.5v12a1.5 1.5 0 0 0 1.5 1.5h13a1.5 1.5 0 0 0 1.5-1.5v-12A1.5 1.5 0 0 0 18.5 5h-13A1.5 1.5 0 0 0 4 6.5ZM8 3v4M16 3v4M8 12h8M8 16h5`,board:`m4 7 1.5 1.5L8.5 5.5M4 16.5 5.5 18l3-3M12 7h8M12 16.5h8`,week:`M4 6.5h16v13H4zM4 10h16M9.3 10v9.5M14.7 10v9.5M8 4v3M16 4v3`,memory:`M12 4a6.5 6.5 0 0 0-4 11.6V18h8v-2.4A6.5 6.5 0 0 0 12 4ZM9.5 20.5h5`,lists:`M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01`,graph:`M6 8.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM18 12a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 18 12ZM9 20a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 9 20ZM8 7l8 2.3M7 8.3l1.6 7.4M10.6 16.3l5.8-5`,websets:`M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9`,search:`M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l5 5`,actions:`M4 12a8 8 0 1 0 2.6-5.9M4 4.5v4h4M12 8v4.5l3 1.8`,settings:`M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4`,explorer:`m8.5 8-4.5 4 4.5 4M15.5 8l4.5 4-4.5 4M13.5 5.5l-3 13`,palette:`M9 6.5A2.5 2.5 0 1 0 6.5 9h11A2.5 2.5 0 1 0 15 6.5v11a2.5 2.5 0 1 0 2.5-2.5h-11A2.5 2.5 0 1 0 9 17.5Z`,sun:`M12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4`,moon:`M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z`,back:`m14.5 5.5-6.5 6.5 6.5 6.5`,forth:`m9.5 5.5 6.5 6.5-6.5 6.5`,close:`M6 6l12 12M18 6 6 18`,check:`m6.5 12.5 3.5 3.5 7.5-8`,mail:`M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6`,place:`M12 21s6.5-6 6.5-11a6.5 6.5 0 1 0-13 0c0 5 6.5 11 6.5 11ZM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z`,repeat:`M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19M16 4l3 3-3 3M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H5M8 20l-3-3 3-3`,clock:`M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.3l2.8 1.7`,send:`M4.5 12 20 4.5 15.5 20l-3.7-6.2zM11.8 13.8 20 4.5`,archive:`M4 5h16v4H4zM5.5 9v10h13V9M10 13h4`,more:`M5.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM12 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM18.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4Z`,add:`M12 5v14M5 12h14`,undo:`M9 6 5 10l4 4M5 10h9a5 5 0 0 1 0 10h-3`},vn=new Set([`back`,`forth`,`send`,`undo`]);function yn({name:e}){return(0,Q.jsx)(`svg`,{className:vn.has(e)?`icon icon--turns`:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`,focusable:`false`,children:(0,Q.jsx)(`path`,{d:_n[e]})})}var bn=new WeakMap,$=null;document.addEventListener(`focusin`,e=>{let t=e.target instanceof Element?e.target.closest(`[data-row]`):null;t&&($=t)});function xn(){return $?.isConnected&&bn.get($)||{}}function Sn(){return $?.contains(document.activeElement)?xn():{}}function Cn(e){let t=[...document.querySelectorAll(`main [data-row]`)],n=$?t.indexOf($):-1,r=t[n<0?e>0?0:t.length-1:Math.min(t.length-1,Math.max(0,n+e))];(r?.querySelector(`[data-open]`))?.focus(),r?.scrollIntoView({block:`nearest`})}function wn({deeds:e,className:t,task:n,style:i,children:a}){let o=(0,r.useRef)(null);return(0,r.useEffect)(()=>{o.current&&bn.set(o.current,e)}),(0,r.useEffect)(()=>{let e=o.current;return()=>{if(!e?.contains(document.activeElement))return;let t=[...document.querySelectorAll(`main [data-row]`)],n=t[t.indexOf(e)+1]??t[t.indexOf(e)-1];setTimeout(()=>document.activeElement===document.body&&n?.querySelector(`[data-open]`)?.focus())}},[]),(0,Q.jsx)(`li`,{ref:o,className:t,style:i,"data-row":``,"data-task":n,draggable:n!==void 0,children:a})}function Tn({failure:e,again:t}){let n=Zt();return(0,Q.jsxs)(`div`,{className:`trouble`,role:`alert`,children:[(0,Q.jsx)(`p`,{dir:`auto`,children:an(e)}),e.connectUrl&&(0,Q.jsx)(`a`,{className:`button`,href:e.connectUrl,children:n.connect}),(0,Q.jsx)(`button`,{type:`button`,className:`button`,onClick:t,children:n.tryAgain})]})}function En({rows:e=4}){let t=Zt();return(0,Q.jsxs)(`div`,{className:`waiting`,role:`status`,children:[(0,Q.jsx)(`span`,{className:`hidden`,children:t.loading}),Array.from({length:e},(e,t)=>(0,Q.jsx)(`span`,{className:`waiting__row`},t))]})}export{at as $,We as $t,gt as A,me as At,z as B,Ie as Bt,Gt as C,De as Ct,B as D,Ge as Dt,xt as E,Oe as Et,ht as F,ke as Ft,ie as G,ge as Gt,L as H,be as Ht,mt as I,Te as It,Se as J,Ve as Jt,Xe as K,Le as Kt,ft as L,ae as Lt,lt as M,he as Mt,R as N,de as Nt,yt as O,pe as Ot,pt as P,Ae as Pt,it as Q,Ye as Qt,ct as R,ue as Rt,Lt as S,Re as St,Nt as T,le as Tt,x as U,S as Ut,I as V,we as Vt,tt as W,_e as Wt,E as X,Ue as Xt,Ke as Y,$e as Yt,D as Z,He as Zt,X as _,k as _t,Sn as a,o as an,Qe as at,Rt as b,P as bt,gn as c,e as cn,ze as ct,rn as d,M as dt,Be as en,qe as et,an as f,Ne as ft,mn as g,fe as gt,Y as h,Me as ht,xn as i,s as in,oe as it,ut as j,je as jt,V as k,ce as kt,cn as l,A as lt,Z as m,Pe as mt,En as n,l as nn,Ee as nt,Cn as o,a as on,xe as ot,Qt as p,Fe as pt,Ce as q,j as qt,wn as r,i as rn,nt as rt,yn as s,n as sn,Je as st,Tn as t,rt as tn,O as tt,sn as u,ve as ut,Zt as v,et as vt,W as w,se as wt,G as x,ye as xt,J as y,N as yt,dt as z,Ze as zt};